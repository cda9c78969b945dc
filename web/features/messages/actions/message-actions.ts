import { can } from '#contract/can'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import type { Me } from '#contract/users'
import { logFailure } from '../../../api-client/failure-text.ts'
import { paths } from '../../../paths.ts'
import { copyText } from '../../../ui/device/copy-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { isSound } from '../content/message-text.tsx'
import { isAloud, toggleAloud } from '../read-aloud/read-aloud.ts'
import { isGrowing } from '../sync/answer-progress.ts'
import type { Place } from './conversation-context.tsx'
import { startEdit } from './open-edits.ts'

export type Sign = 'react' | 'reply' | 'edit' | 'quote' | 'unread' | 'aloud' | 'hush' | 'text' | 'link' | 'delete'

export interface Action {
  name: string
  /** Its picture, which comes with what shows it (`action-signs.ts`). */
  sign: Sign
  /** The key that does it while the row has the focus. */
  key?: string
  isDanger?: boolean
  /** @param at the button or row it was asked for at */
  act: (at: HTMLElement) => void
}
export type Actions = Partial<
  Record<'react' | 'reply' | 'edit' | 'quote' | 'unread' | 'aloud' | 'copyText' | 'copyLink' | 'delete', Action>
>

/** What I can do with a message that stands somewhere. */
export function actionsFor(message: Message, place: Place, me: Me, react: Action['act']): Actions {
  const { kind, isMember, ownerId, openThread } = place
  const all: Actions = {}
  if (isMember) all.react = { name: 'Add reaction', sign: 'react', key: 'R', act: react }
  const isParent = kind === 'thread' && message.threadId === null
  if (isMember && openThread && !isParent && message.userId !== ASSISTANT)
    all.reply = {
      name: 'Reply in thread',
      sign: 'reply',
      key: 'T',
      act: () => openThread(message.threadId ?? message.id),
    }
  if (isMember && can.editMessage(me, message))
    all.edit = { name: 'Edit message', sign: 'edit', key: 'E', act: () => startEdit(message, place) }
  const hasWords = message.content.trim() !== '' && !isGrowing(message)
  if (isMember && hasWords) {
    const box = kind === 'thread' ? (message.threadId ?? message.id) : message.channelId
    all.quote = { name: 'Quote', sign: 'quote', key: 'Q', act: () => void quote(box, message.content) }
  }
  const { markUnread } = place
  if (isMember && markUnread)
    all.unread = { name: 'Mark unread from here', sign: 'unread', key: 'U', act: () => markUnread(message.seq) }
  if (hasWords && !isSound(message.content))
    all.aloud = isAloud(message)
      ? { name: 'Stop reading aloud', sign: 'hush', key: 'A', act: () => toggleAloud(message) }
      : { name: 'Read aloud', sign: 'aloud', key: 'A', act: () => toggleAloud(message) }
  if (hasWords) all.copyText = { name: 'Copy text', sign: 'text', act: () => copy(message.content, 'Text copied') }
  all.copyLink = { name: 'Copy link', sign: 'link', act: () => copy(linkTo(message), 'Link copied') }
  if (isMember && can.deleteMessage(me, message, { ownerId }))
    all.delete = {
      name: 'Delete message',
      sign: 'delete',
      key: 'Backspace',
      isDanger: true,
      act: () => void deleteSoon(message),
    }
  return all
}

/** An address that opens the channel where the message stands. */
const linkTo = ({ channelId, id }: Message) => new URL(`${paths.channel(channelId)}?message=${id}`, location.href).href

function copy(text: string, done: string) {
  copyText(text).then(
    () => showToast(done),
    (error) => {
      console.error('Failed to copy:', error)
      showToast('The browser does not let this page copy')
    },
  )
}

const failed = (what: string) => (error: unknown) => showToast(logFailure(`Failed to ${what}`, error))

/** Puts a text as a quote into a box. */
const quote = (box: string, text: string) =>
  import('../editor/quote.ts').then((it) => it.quoteInto(box, text), failed('quote message'))

/** Deletes a message after a time in which that can be taken back. */
const deleteSoon = (message: Message) =>
  import('./delete-soon.ts').then((it) => it.deleteSoon(message), failed('delete message'))
