import type { ChannelFacts } from './channels.ts'
import type { Message } from './messages.ts'
import type { Me } from './users.ts'

type Person = Pick<Me, 'id' | 'role'>

/** Who may do what: pure, so that the guard of the door and the button on the screen cannot disagree. */
export const can = {
  writeIn: (channel: { isMember: boolean }) => channel.isMember,
  editMessage: (me: Pick<Me, 'id'>, message: Pick<Message, 'userId'>) => message.userId === me.id,
  deleteMessage: (me: Person, message: Pick<Message, 'userId'>, channel: Pick<ChannelFacts, 'ownerId'>) =>
    message.userId === me.id || channel.ownerId === me.id || me.role !== 'member',
}
