import { PUBLIC_FILES } from './channel-name.ts'
import type { Channel, ChannelFacts } from './channels.ts'
import type { StoredFile } from './files.ts'
import { ASSISTANT } from './ids.ts'
import type { Message } from './messages.ts'
import { type Permission, standardPermissions } from './permissions.ts'
import type { Me } from './users.ts'

type Person = Pick<Me, 'id' | 'role'>
type Self = Pick<Me, 'id'>
/** Somebody with what their role may do in this workspace. */
type Able = Pick<Me, 'role' | 'may'>
type Kind = Pick<ChannelFacts, 'kind'>
type Owned = Pick<ChannelFacts, 'ownerId'>
type Standing = Pick<ChannelFacts, 'isGeneral'>
type Entered = Pick<Channel, 'isMember'>
/** How a channel restricts what its members do. */
type Ruled = Pick<ChannelFacts, 'archivedAt' | 'posting' | 'areRepliesOpen' | 'broadcasting' | 'ownerId'>

/** Guests are no admins, either. */
const isAdmin = (me: Pick<Me, 'role'>) => me.role === 'owner' || me.role === 'admin'

const has = ({ role, may }: Able, permission: Permission) => (may ?? standardPermissions(role)).includes(permission)

/** Whether a level of a channel includes somebody; the channel's owner always counts as an admin. */
const isWithin = (level: ChannelFacts['posting'], me: Person, { ownerId }: Owned) =>
  level === 'all' || ownerId === me.id || isAdmin(me) || (level === 'members' && me.role === 'member')

/** Permissions, as pure functions: the server's doors and the browser's buttons use the same. */
export const can = {
  /** A guest reads only what they are in. */
  readIn: (me: Pick<Me, 'role'>, channel: Kind & Entered) =>
    channel.isMember || (channel.kind === 'public' && me.role !== 'guest'),
  writeIn: (channel: Entered) => channel.isMember,
  /** For members: whether the channel and the workspace let them post there. A mute is another matter. */
  post: (me: Person & Able, channel: Ruled) =>
    !channel.archivedAt && has(me, 'post') && isWithin(channel.posting, me, channel),
  reply: (me: Person & Able, channel: Ruled) =>
    !channel.archivedAt && has(me, 'post') && (channel.areRepliesOpen || isWithin(channel.posting, me, channel)),
  /** For members: change what stands there, by an edit or a reaction. */
  change: (channel: Pick<ChannelFacts, 'archivedAt'>) => !channel.archivedAt,
  /** `@channel` and `@here`. */
  mentionChannel: (me: Person & Able, channel: Ruled) =>
    has(me, 'mentionChannel') && isWithin(channel.broadcasting, me, channel),
  join: (me: Pick<Me, 'role'>, channel: Pick<ChannelFacts, 'kind' | 'name' | 'archivedAt'>) =>
    channel.kind === 'public' && channel.name !== PUBLIC_FILES && me.role !== 'guest' && !channel.archivedAt,
  createChannel: (me: Able, isPrivate: boolean) =>
    has(me, isPrivate ? 'createPrivateChannels' : 'createPublicChannels'),
  createGroups: (me: Able) => has(me, 'createGroups'),
  inviteTo: (me: Able, channel: Kind & Entered & Pick<ChannelFacts, 'archivedAt'>) =>
    channel.kind !== 'direct' && channel.isMember && !channel.archivedAt && has(me, 'inviteToChannels'),
  /** Create, list and revoke invite links. */
  inviteToWorkspace: (me: Able) => has(me, 'inviteToWorkspace'),
  leave: (me: Self, channel: Kind & Owned & Standing) =>
    channel.kind !== 'direct' && !channel.isGeneral && channel.ownerId !== me.id,
  editChannel: (me: Self, channel: Owned & Pick<ChannelFacts, 'archivedAt'>) =>
    channel.ownerId === me.id && !channel.archivedAt,
  deleteChannel: (me: Self, channel: Owned & Standing) => channel.ownerId === me.id && !channel.isGeneral,
  /** Make it read-only, or restore it. Admins do it to public ones, the owner also to private ones they may list. */
  archive: (me: Person, channel: Kind & Owned & Standing) =>
    channel.kind !== 'direct' &&
    !channel.isGeneral &&
    (channel.ownerId === me.id || (channel.kind === 'public' ? isAdmin(me) : me.role === 'owner')),
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
  /** Everybody in the workspace; guests see those they share a channel with. */
  seeEverybody: (me: Pick<Me, 'role'>) => me.role !== 'guest',
  readAudit: isAdmin,
  /** How long messages are kept, and holds. */
  setRetention: (me: Person) => me.role === 'owner',
  setProfileFields: (me: Pick<Me, 'role'>) => me.role === 'owner',
  /** Everything that the owner may read; not the private channels and direct messages of others. */
  exportWorkspace: (me: Person) => me.role === 'owner',
  /** What others wrote elsewhere, and who they are here. */
  importArchives: (me: Person) => me.role === 'owner',
  exportChannel: (me: Self, channel: Owned & Entered) => channel.ownerId === me.id && channel.isMember,
  /** See all accounts, deactivated ones included, what was reported, and the list of channels. */
  manageWorkspace: isAdmin,
  /** Know what private channels are called, if the workspace lists them. */
  listPrivateChannels: (me: Pick<Me, 'role'>, isListing: boolean) => me.role === 'owner' && isListing,
  setPermissions: (me: Person) => me.role === 'owner',
  /** Let a directory create, change and deactivate people. */
  manageProvisioning: (me: Pick<Me, 'role'>) => me.role === 'owner',
  /** The owner of the workspace and the assistant are never deactivated, and nobody deactivates themselves. */
  deactivate: (me: Person, user: Person) =>
    isAdmin(me) && user.role !== 'owner' && user.id !== me.id && user.id !== ASSISTANT,
  /** Admins are muted by the owner only. */
  mute: (me: Person, user: Person) =>
    user.id !== me.id &&
    user.id !== ASSISTANT &&
    user.role !== 'owner' &&
    (me.role === 'owner' || (me.role === 'admin' && user.role !== 'admin')),
  /** Who gets the owner's role, too, is decided by handing the workspace over. */
  changeRole: (me: Person, user: Person) => me.role === 'owner' && user.role !== 'owner' && user.id !== ASSISTANT,
  /** With the link one can sign in as the other, so nobody gets more rights by it. */
  resetPassword: (me: Person, user: Person) =>
    user.id !== ASSISTANT && user.id !== me.id && (me.role === 'owner' || (me.role === 'admin' && !isAdmin(user))),
  stopAnswer: (me: Person, askedBy: string, channel: Owned) =>
    askedBy === me.id || channel.ownerId === me.id || isAdmin(me),
}
