import { PUBLIC_FILES } from './channel-name.ts'
import type { Channel, ChannelFacts } from './channels.ts'
import type { StoredFile } from './files.ts'
import { ASSISTANT } from './ids.ts'
import type { Message } from './messages.ts'
import type { Me } from './users.ts'

type Person = Pick<Me, 'id' | 'role'>
type Self = Pick<Me, 'id'>
type Kind = Pick<ChannelFacts, 'kind'>
type Owned = Pick<ChannelFacts, 'ownerId'>
type Standing = Pick<ChannelFacts, 'isGeneral'>
type Entered = Pick<Channel, 'isMember'>

const isAdmin = (me: Person) => me.role !== 'member'

/** Permissions, as pure functions: the server's doors and the browser's buttons use the same. */
export const can = {
  readIn: (channel: Kind & Entered) => channel.kind === 'public' || channel.isMember,
  writeIn: (channel: Entered) => channel.isMember,
  join: (channel: Pick<ChannelFacts, 'kind' | 'name'>) => channel.kind === 'public' && channel.name !== PUBLIC_FILES,
  inviteTo: (channel: Kind & Entered) => channel.kind !== 'direct' && channel.isMember,
  leave: (me: Self, channel: Kind & Owned & Standing) =>
    channel.kind !== 'direct' && !channel.isGeneral && channel.ownerId !== me.id,
  editChannel: (me: Self, channel: Owned) => channel.ownerId === me.id,
  deleteChannel: (me: Self, channel: Owned & Standing) => channel.ownerId === me.id && !channel.isGeneral,
  removeMember: (me: Self, channel: Owned & Standing, userId: string) =>
    channel.ownerId === me.id && userId !== me.id && !channel.isGeneral,
  editMessage: (me: Self, message: Pick<Message, 'userId'>) => message.userId === me.id,
  deleteMessage: (me: Person, message: Pick<Message, 'userId'>, channel: Owned) =>
    message.userId === me.id || channel.ownerId === me.id || isAdmin(me),
  /** The public bucket has no members; everyone may upload to it. */
  uploadTo: (channel: Pick<ChannelFacts, 'name'> & Entered) => channel.isMember || channel.name === PUBLIC_FILES,
  deleteFile: (me: Person, file: Pick<StoredFile, 'userId'>) => file.userId === me.id || isAdmin(me),
  seeEmails: isAdmin,
  /** Create, list and revoke invite links; list deactivated users. */
  manageWorkspace: isAdmin,
  /** The owner of the workspace and the assistant are never deactivated, and nobody deactivates themselves. */
  deactivate: (me: Person, user: Person) =>
    isAdmin(me) && user.role !== 'owner' && user.id !== me.id && user.id !== ASSISTANT,
  stopAnswer: (me: Person, askedBy: string, channel: Owned) =>
    askedBy === me.id || channel.ownerId === me.id || isAdmin(me),
}
