import { can } from '#contract/can'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import { messagePath, withoutQuotes } from '#contract/quotes'
import type { Me } from '#contract/users'
import { logFailure } from '../../../api-client/failure-text.ts'
import { withTexts } from '../../../i18n/language.ts'
import { type PlainTextId, t } from '../../../i18n/text.ts'
import { showPerson } from '../../../people/person-card.ts'
import { copyWithToast } from '../../../ui/device/copy-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { isAudioLink } from '../content/message-text.tsx'
import { startEdit } from '../outbox/open-edits.ts'
import { isAloud, toggleAloud } from '../read-aloud/read-aloud.ts'
import { isStreaming } from '../sync/answer-progress.ts'
import { savedItem } from '../sync/later-queries.ts'
import type { Conversation } from './conversation-context.tsx'

/** What actions open: the emoji picker, and the dialogs that set a reminder, forward the message, and list its versions. */
export type RowPopup = 'picker' | 'reminder' | 'forward' | 'history'

/** A message with the context of its row. */
interface ActionTarget {
  message: Message
  conversation: Conversation
  me: Me
  /** Opens a popup at a button or row. */
  open: (popup: RowPopup, anchor: HTMLElement) => void
}

interface Declaration {
  /** Runs the action while the row has the focus. */
  key?: string
  /** The menu includes the toolbar's actions. */
  in: 'toolbar' | 'menu'
  isDanger?: boolean
  when: (target: ActionTarget) => boolean
  /** @param anchor the button or row that it was started from */
  run: (target: ActionTarget, anchor: HTMLElement) => void
}

/**
 * All actions on a message, in menu order. The toolbar, the menus, the keys and the list of shortcuts are
 * derived from this table; `action-labels.ts` adds the icons and names, which load later.
 */
const declarations = {
  react: {
    key: 'R',
    in: 'toolbar',
    when: canChange,
    run: ({ open }, anchor) => open('picker', anchor),
  },
  reply: {
    key: 'T',
    in: 'toolbar',
    when: (target) =>
      isMember(target) &&
      target.conversation.openThread !== undefined &&
      !isThreadParent(target) &&
      target.message.userId !== ASSISTANT,
    run: ({ message, conversation }) => conversation.openThread?.(message.threadId ?? message.id),
  },
  edit: {
    key: 'E',
    in: 'toolbar',
    when: (target) => canRewrite(target) && can.editMessage(target.me, target.message),
    run: ({ message, conversation }) => startEdit(message, conversation),
  },
  quote: {
    key: 'Q',
    in: 'menu',
    when: (target) => target.conversation.canReply && !isStreaming(target.message),
    run: ({ message, conversation }) => void quote(message, conversation),
  },
  forward: {
    key: 'F',
    in: 'menu',
    when: ({ message }) => !isStreaming(message),
    run: ({ open }, anchor) => open('forward', anchor),
  },
  pin: {
    key: 'P',
    in: 'menu',
    when: (target) => target.conversation.canPost && !target.message.pin && !isStreaming(target.message),
    run: ({ message }) => void setPin(message, true),
  },
  unpin: {
    key: 'P',
    in: 'menu',
    when: ({ conversation, message }) => conversation.canPost && message.pin !== undefined,
    run: ({ message }) => void setPin(message, false),
  },
  save: {
    key: 'S',
    in: 'menu',
    when: ({ message }) => !savedItem(message.id) && !isStreaming(message),
    run: ({ message }) => later('saveMessage', message),
  },
  unsave: {
    key: 'S',
    in: 'menu',
    when: ({ message }) => savedItem(message.id) !== undefined,
    run: ({ message }) => later('unsaveMessage', message),
  },
  remind: {
    key: 'M',
    in: 'menu',
    when: ({ message }) => !isStreaming(message),
    run: ({ open }, anchor) => open('reminder', anchor),
  },
  history: {
    in: 'menu',
    when: ({ message, me }) => message.editedAt !== null && me.hasEditHistory === true,
    run: ({ open }, anchor) => open('history', anchor),
  },
  markUnread: {
    key: 'U',
    in: 'menu',
    when: (target) => isMember(target) && target.conversation.markUnread !== undefined,
    run: ({ message, conversation }) => conversation.markUnread?.(message.seq),
  },
  readAloud: {
    key: 'A',
    in: 'menu',
    when: (target) => isSpeakable(target) && !isAloud(target.message),
    run: ({ message }) => toggleAloud(message),
  },
  stopReading: {
    key: 'A',
    in: 'menu',
    when: (target) => isSpeakable(target) && isAloud(target.message),
    run: ({ message }) => toggleAloud(message),
  },
  profile: {
    in: 'menu',
    when: () => true,
    run: ({ message }, anchor) => showPerson(anchor, message.userId),
  },
  copyText: {
    in: 'menu',
    when: hasText,
    run: ({ message }) => copyWithToast(message.content, t('messages.copied.text')),
  },
  copyPlainText: {
    in: 'menu',
    when: isSpeakable,
    run: (_, anchor) => copyWithToast(shownText(anchor), t('messages.copied.text')),
  },
  copyLink: {
    in: 'menu',
    when: () => true,
    run: ({ message }) => copyWithToast(linkTo(message), t('messages.copied.link')),
  },
  report: {
    in: 'menu',
    when: ({ message, me }) => message.userId !== me.id && message.userId !== ASSISTANT,
    run: ({ message }) => void reportSoon(message),
  },
  delete: {
    key: 'Backspace',
    in: 'menu',
    isDanger: true,
    when: (target) => isMember(target) && can.deleteMessage(target.me, target.message, target.conversation),
    run: ({ message }) => void deleteSoon(message),
  },
} satisfies Record<string, Declaration>

export type ActionId = keyof typeof declarations

/** An action for one message. */
export interface Action extends Omit<Declaration, 'when' | 'run'> {
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
    .map(({ when: _, run, ...action }) => ({ ...action, run: (anchor) => run(target, anchor) }))

/** The keys of a row. */
export const actionKeys = table.flatMap(({ id, key }) => (key ? [{ id, key }] : []))

/** Editing needs the same permission as a new message. */
function canRewrite({ conversation, message }: ActionTarget) {
  return message.threadId === null ? conversation.canPost : conversation.canReply
}

function canChange({ conversation }: ActionTarget) {
  return conversation.canChange
}

function isMember({ conversation }: ActionTarget) {
  return conversation.isMember
}

const isThreadParent = ({ message, conversation }: ActionTarget) =>
  conversation.kind === 'thread' && message.threadId === null

function hasText({ message }: ActionTarget) {
  return message.content.trim() !== '' && !isStreaming(message)
}

/** It has words of its author's own. */
function isSpeakable(target: ActionTarget) {
  const { content } = target.message
  return hasText(target) && !isAudioLink(content) && withoutQuotes(content).trim() !== ''
}

/** A row's rendered text, without markdown syntax and what it quotes. */
const shownText = (anchor: HTMLElement) =>
  [...(anchor.closest('article')?.querySelectorAll<HTMLElement>('.prose:not([data-quoted] *)') ?? [])]
    .map((text) => text.innerText)
    .join('\n')
    .trim()

/** Opens the message's channel at the message. */
const linkTo = ({ channelId, id: messageId }: Message) =>
  new URL(messagePath({ channelId, messageId }), location.href).href

const failed = (what: PlainTextId) => (error: unknown) => showToast(logFailure(t(what), error))

function quote(message: Message, { kind, of }: Conversation) {
  const { id, channelId, threadId } = message
  const to = { channelId, threadId: kind === 'thread' ? (threadId ?? id) : null, of }
  return withTexts(() => import('./quote-message.ts')).then(
    ({ quoteInto }) => quoteInto(to, message),
    failed('messages.failed.quote'),
  )
}

const setPin = (message: Message, isPinned: boolean) =>
  withTexts(() => import('./set-pin.ts')).then(
    (module) => module.setPin(message, isPinned),
    failed(isPinned ? 'messages.failed.pin' : 'messages.failed.unpin'),
  )

const later = (act: 'saveMessage' | 'unsaveMessage', message: Message) =>
  void withTexts(() => import('./later-actions.ts')).then((module) => module[act](message), failed('later.failed'))

const reportSoon = (message: Message) =>
  withTexts(() => import('./report-soon.ts')).then(
    (module) => module.reportSoon(message),
    failed('messages.failed.report'),
  )

const deleteSoon = (message: Message) =>
  withTexts(() => import('./delete-soon.ts')).then(
    (module) => module.deleteSoon(message),
    failed('messages.failed.delete'),
  )
