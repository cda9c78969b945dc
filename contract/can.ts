import { PUBLIC_FILES } from './channel-name.ts'
import type { Channel, ChannelFacts } from './channels.ts'
import type { StoredFile } from './files.ts'
import { ASSISTANT } from './ids.ts'
import type { Message } from './messages.ts'
import { type Permission, standardPermissions } from './permissions.ts'
import type { Me } from './users.ts'

type Person = Pick<Me, 'id' | 'role'>
type Self = Pick<Me, 'id'>
/** A person and the permissions of their role in this workspace. */
type Able = Pick<Me, 'role' | 'may'>
type Kind = Pick<ChannelFacts, 'kind'>
type Owned = Pick<ChannelFacts, 'ownerId'>
type Standing = Pick<ChannelFacts, 'isGeneral'>
type Entered = Pick<Channel, 'isMember'>
/** A channel's restrictions on its members. */
type Ruled = Pick<ChannelFacts, 'archivedAt' | 'posting' | 'posters' | 'areRepliesOpen' | 'broadcasting' | 'ownerId'>

const isAdmin = (me: Pick<Me, 'role'>) => me.role === 'owner' || me.role === 'admin'

const has = ({ role, may }: Able, permission: Permission) => (may ?? standardPermissions(role)).includes(permission)

/** Whether a channel's level includes a person; the channel's owner always counts as an admin. */
const isWithin = (level: ChannelFacts['posting'], me: Person, { ownerId }: Owned) =>
  level === 'all' || ownerId === me.id || isAdmin(me) || (level === 'members' && me.role === 'member')

/** Whether a channel's rule lets a person post, or its owner has named them. */
const isPoster = (me: Person, channel: Ruled) =>
  isWithin(channel.posting, me, channel) || channel.posters?.includes(me.id) === true

/** Permissions as pure functions, shared by the server's doors and the browser's buttons. */
export const can = {
  /** Guests read only the channels they are in. */
  readIn: (me: Pick<Me, 'role'>, channel: Kind & Entered) =>
    channel.isMember || (channel.kind === 'public' && me.role !== 'guest'),
  writeIn: (channel: Entered) => channel.isMember,
  /** For members: whether the channel and the workspace allow them to post. Mutes are checked separately. */
  post: (me: Person & Able, channel: Ruled) => !channel.archivedAt && has(me, 'post') && isPoster(me, channel),
  reply: (me: Person & Able, channel: Ruled) =>
    !channel.archivedAt && has(me, 'post') && (channel.areRepliesOpen || isPoster(me, channel)),
  /** For members: change existing messages, by editing or reacting. */
  change: (channel: Pick<ChannelFacts, 'archivedAt'>) => !channel.archivedAt,
  /** `@channel` and `@here`. */
  mentionChannel: (me: Person & Able, channel: Ruled) =>
    has(me, 'mentionChannel') && isWithin(channel.broadcasting, me, channel),
  join: (me: Pick<Me, 'role'>, channel: Pick<ChannelFacts, 'kind' | 'name' | 'archivedAt'>) =>
    channel.kind === 'public' && channel.name !== PUBLIC_FILES && me.role !== 'guest' && !channel.archivedAt,
  createChannel: (me: Able, isPrivate: boolean) =>
    has(me, isPrivate ? 'createPrivateChannels' : 'createPublicChannels'),
  createGroups: (me: Able) => has(me, 'createGroups'),
  addEmoji: (me: Able) => has(me, 'addEmoji'),
  /** @param by who added it */
  removeEmoji: (me: Person & Able, by: string | undefined) => isAdmin(me) || (by === me.id && has(me, 'addEmoji')),
  inviteTo: (me: Able, channel: Kind & Entered & Pick<ChannelFacts, 'archivedAt'>) =>
    channel.kind !== 'direct' && channel.isMember && !channel.archivedAt && has(me, 'inviteToChannels'),
  /** Create, list and revoke invite links. */
  inviteToWorkspace: (me: Able) => has(me, 'inviteToWorkspace'),
  leave: (me: Self, channel: Kind & Owned & Standing) =>
    channel.kind !== 'direct' && !channel.isGeneral && channel.ownerId !== me.id,
  editChannel: (me: Self, channel: Owned & Pick<ChannelFacts, 'archivedAt'>) =>
    channel.ownerId === me.id && !channel.archivedAt,
  deleteChannel: (me: Self, channel: Owned & Standing) => channel.ownerId === me.id && !channel.isGeneral,
  /** Archive or restore it. Admins may for public channels, the workspace's owner also for private ones that they may list. */
  archive: (me: Person, channel: Kind & Owned & Standing) =>
    channel.kind !== 'direct' &&
    !channel.isGeneral &&
    (channel.ownerId === me.id || (channel.kind === 'public' ? isAdmin(me) : me.role === 'owner')),
  /** Let a member post in a channel whose rule may forbid it. Its owner always may. */
  namePoster: (me: Self, channel: Owned & Pick<ChannelFacts, 'archivedAt' | 'posting'>, userId: string) =>
    can.editChannel(me, channel) && channel.posting !== 'all' && userId !== channel.ownerId,
  removeMember: (me: Self, channel: Owned & Standing, userId: string) =>
    channel.ownerId === me.id && userId !== me.id && !channel.isGeneral,
  editMessage: (me: Self, message: Pick<Message, 'userId'>) => message.userId === me.id,
  deleteMessage: (me: Self & Able, message: Pick<Message, 'userId'>, channel: Owned) =>
    message.userId === me.id || channel.ownerId === me.id || has(me, 'deleteMessages'),
  /** Delete what others wrote. */
  moderate: (me: Able) => has(me, 'deleteMessages'),
  /** The public bucket has no members; everyone but guests may upload to it. */
  uploadTo: (me: Able, channel: Pick<ChannelFacts, 'name' | 'archivedAt'> & Entered) =>
    !channel.archivedAt &&
    has(me, 'upload') &&
    (channel.isMember || (channel.name === PUBLIC_FILES && me.role !== 'guest')),
  deleteFile: (me: Self & Able, file: Pick<StoredFile, 'userId'>) => file.userId === me.id || has(me, 'deleteMessages'),
  seeEmails: (me: Able) => has(me, 'seeEmails'),
  /** Everybody in the workspace. Guests only see people they share a channel with. */
  seeEverybody: (me: Pick<Me, 'role'>) => me.role !== 'guest',
  readAudit: isAdmin,
  /** Set retention rules and holds. */
  setRetention: (me: Person) => me.role === 'owner',
  setProfileFields: (me: Pick<Me, 'role'>) => me.role === 'owner',
  /** Covers everything that the owner may read, not other people's private channels and direct messages. */
  exportWorkspace: (me: Person) => me.role === 'owner',
  /** Import messages that others wrote elsewhere, and map their authors to people here. */
  importArchives: (me: Person) => me.role === 'owner',
  exportChannel: (me: Self, channel: Owned & Entered) => channel.ownerId === me.id && channel.isMember,
  /** See all accounts, including deactivated ones, the reports, and the list of channels. */
  manageWorkspace: isAdmin,
  /** See the names of private channels, if the workspace lists them. */
  listPrivateChannels: (me: Pick<Me, 'role'>, isListing: boolean) => me.role === 'owner' && isListing,
  renameWorkspace: isAdmin,
  /** Set whether links get previews. */
  setLinkPreviews: isAdmin,
  /** Set whether earlier texts of edited messages are kept. */
  setEditHistory: isAdmin,
  /** What notifies everyone who chose nothing else. */
  setNotificationLevel: isAdmin,
  /** Set who may sign up. */
  setSignUp: isAdmin,
  /** Fill the workspace with the demo, and empty it. */
  runDemo: (me: Pick<Me, 'role'>) => me.role === 'owner',
  /** Complete the first screen. */
  setUpWorkspace: (me: Pick<Me, 'role'>) => me.role === 'owner',
  setPermissions: (me: Person) => me.role === 'owner',
  /** Let a directory create, change and deactivate people. */
  manageProvisioning: (me: Pick<Me, 'role'>) => me.role === 'owner',
  /** The owner of the workspace and the assistant are never deactivated, and nobody deactivates themselves. */
  deactivate: (me: Person, user: Person) =>
    isAdmin(me) && user.role !== 'owner' && user.id !== me.id && user.id !== ASSISTANT,
  /** Only the owner mutes admins. */
  mute: (me: Person, user: Person) =>
    user.id !== me.id &&
    user.id !== ASSISTANT &&
    user.role !== 'owner' &&
    (me.role === 'owner' || (me.role === 'admin' && user.role !== 'admin')),
  /** The owner's role changes hands only by a handover of the workspace. */
  changeRole: (me: Person, user: Person) => me.role === 'owner' && user.role !== 'owner' && user.id !== ASSISTANT,
  /** The link signs in as the other person, so it must never give more rights than one has. */
  resetPassword: (me: Person, user: Person) =>
    user.id !== ASSISTANT && user.id !== me.id && (me.role === 'owner' || (me.role === 'admin' && !isAdmin(user))),
  stopAnswer: (me: Person, askedBy: string, channel: Owned) =>
    askedBy === me.id || channel.ownerId === me.id || isAdmin(me),
}
