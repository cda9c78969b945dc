import { can } from '#contract/can'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import type { Me } from '#contract/users'
import { logFailure } from '../../../api-client/failure-text.ts'
import { paths } from '../../../paths.ts'
import { showPerson } from '../../../people/person-card.ts'
import { copyWithToast } from '../../../ui/device/copy-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { isAudioLink } from '../content/message-text.tsx'
import { startEdit } from '../outbox/open-edits.ts'
import { isAloud, toggleAloud } from '../read-aloud/read-aloud.ts'
import { isStreaming } from '../sync/answer-progress.ts'
import type { Conversation } from './conversation-context.tsx'

/** A message as one row shows it. */
interface ActionTarget {
  message: Message
  conversation: Conversation
  me: Me
  /** Opens the emoji picker at a button or row. */
  openPicker: (anchor: HTMLElement) => void
}

interface Declaration {
  name: string
  /** Runs the action while the row has the focus. */
  key?: string
  /** Describes the key in the list of shortcuts. */
  help?: string
  /** The menu lists those of the toolbar too. */
  in: 'toolbar' | 'menu'
  isDanger?: boolean
  when: (target: ActionTarget) => boolean
  /** @param anchor the button or row that it was started from */
  run: (target: ActionTarget, anchor: HTMLElement) => void
}

/**
 * All actions on a message, in the order of the menus. The toolbar, the menus, the keys and the list of shortcuts are
 * derived from this table; `action-icons.ts` adds the icons, which load later.
 */
const declarations = {
  react: {
    name: 'Add reaction',
    key: 'R',
    help: 'React',
    in: 'toolbar',
    when: isMember,
    run: ({ openPicker }, anchor) => openPicker(anchor),
  },
  reply: {
    name: 'Reply in thread',
    key: 'T',
    help: 'Reply in thread',
    in: 'toolbar',
    when: (target) =>
      isMember(target) &&
      target.conversation.openThread !== undefined &&
      !isThreadParent(target) &&
      target.message.userId !== ASSISTANT,
    run: ({ message, conversation }) => conversation.openThread?.(message.threadId ?? message.id),
  },
  edit: {
    name: 'Edit message',
    key: 'E',
    help: 'Edit',
    in: 'toolbar',
    when: (target) => isMember(target) && can.editMessage(target.me, target.message),
    run: ({ message, conversation }) => startEdit(message, conversation),
  },
  quote: {
    name: 'Quote',
    key: 'Q',
    help: 'Quote',
    in: 'menu',
    when: (target) => isMember(target) && hasText(target),
    run: ({ message, conversation }) => void quote(message, conversation),
  },
  markUnread: {
    name: 'Mark unread from here',
    key: 'U',
    help: 'Mark unread from here',
    in: 'menu',
    when: (target) => isMember(target) && target.conversation.markUnread !== undefined,
    run: ({ message, conversation }) => conversation.markUnread?.(message.seq),
  },
  readAloud: {
    name: 'Read aloud',
    key: 'A',
    help: 'Read aloud, or stop',
    in: 'menu',
    when: (target) => isSpeakable(target) && !isAloud(target.message),
    run: ({ message }) => toggleAloud(message),
  },
  stopReading: {
    name: 'Stop reading aloud',
    key: 'A',
    in: 'menu',
    when: (target) => isSpeakable(target) && isAloud(target.message),
    run: ({ message }) => toggleAloud(message),
  },
  profile: {
    name: 'View profile',
    in: 'menu',
    when: () => true,
    run: ({ message }, anchor) => showPerson(anchor, message.userId),
  },
  copyText: {
    name: 'Copy text',
    in: 'menu',
    when: hasText,
    run: ({ message }) => copyWithToast(message.content, 'Text copied'),
  },
  copyPlainText: {
    name: 'Copy without formatting',
    in: 'menu',
    when: isSpeakable,
    run: (_, anchor) => copyWithToast(shownText(anchor), 'Text copied'),
  },
  copyLink: {
    name: 'Copy link',
    in: 'menu',
    when: () => true,
    run: ({ message }) => copyWithToast(linkTo(message), 'Link copied'),
  },
  delete: {
    name: 'Delete message',
    key: 'Backspace',
    help: 'Delete',
    in: 'menu',
    isDanger: true,
    when: (target) => isMember(target) && can.deleteMessage(target.me, target.message, target.conversation),
    run: ({ message }) => void deleteSoon(message),
  },
} satisfies Record<string, Declaration>

export type ActionId = keyof typeof declarations

/** An action for one message. */
export interface Action extends Omit<Declaration, 'when' | 'run' | 'help'> {
  id: ActionId
  run: (anchor: HTMLElement) => void
}

const table: readonly (Declaration & { id: ActionId })[] = Object.entries<Declaration>(declarations).map(
  ([id, declaration]) => ({ id: id as ActionId, ...declaration }),
)

/** The actions that I can run on a message. */
export const actionsFor = (target: ActionTarget): Action[] =>
  table
    .filter(({ when }) => when(target))
    .map(({ when: _, help: __, run, ...action }) => ({ ...action, run: (anchor) => run(target, anchor) }))

/** The keys of a row, in the form of the list of shortcuts. */
export const actionKeys = table.flatMap(({ key, help }) => (key && help ? [{ keys: [key], does: help }] : []))

function isMember({ conversation }: ActionTarget) {
  return conversation.isMember
}

const isThreadParent = ({ message, conversation }: ActionTarget) =>
  conversation.kind === 'thread' && message.threadId === null

function hasText({ message }: ActionTarget) {
  return message.content.trim() !== '' && !isStreaming(message)
}

function isSpeakable(target: ActionTarget) {
  return hasText(target) && !isAudioLink(target.message.content)
}

/** The text of a row as it is shown, without its markdown syntax. */
const shownText = (anchor: HTMLElement) =>
  anchor.closest('article')?.querySelector<HTMLElement>('.prose')?.innerText.trim() ?? ''

/** Opens the message's channel at the message. */
const linkTo = ({ channelId, id }: Message) => new URL(`${paths.channel(channelId)}?message=${id}`, location.href).href

const failed = (what: string) => (error: unknown) => showToast(logFailure(`Failed to ${what}`, error))

function quote({ id, channelId, threadId, content }: Message, { kind }: Conversation) {
  const key = kind === 'thread' ? (threadId ?? id) : channelId
  return import('./quote-message.ts').then(({ quoteInto }) => quoteInto(key, content), failed('quote message'))
}

const deleteSoon = (message: Message) =>
  import('./delete-soon.ts').then((module) => module.deleteSoon(message), failed('delete message'))
