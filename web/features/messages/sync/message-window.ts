import type { Changes } from '#contract/changes'
import type { Message } from '#contract/messages'
import { after, type Told } from '../../../cache/message-update.ts'

/** The part of a channel, or of a thread, that this browser holds: a run of messages without a gap. */
export interface MessageWindow {
  /** Of a thread: the message whose replies these are. */
  parent?: Message
  /** Oldest first. */
  messages: Message[]
  hasOlder: boolean
  /** Whether it ends before the newest message: opened in the middle of a channel. */
  hasNewer: boolean
  /** The channel's revision that it shows; moved by events and changes only, never by the reply to a send. */
  known: number
}

/** Keeps the one of higher revision of each message, in the order of their numbers. */
export function mergeMessages(held: readonly Message[], given: readonly Message[]): Message[] {
  const byId = new Map(held.map((message) => [message.id, message]))
  for (const message of given) {
    const before = byId.get(message.id)
    if (!before || before.rev < message.rev) byId.set(message.id, message)
  }
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

/**
 * Brings messages of the channel into a window, whatever order they come in: those that stand there, and the parent.
 * What lies before its beginning or after its end, where there is more that is not held, is left out: there it would
 * stand beside a gap.
 */
export function take(window: MessageWindow, given: readonly Message[]): MessageWindow {
  const threadId = window.parent?.id ?? null
  const first = window.messages[0]?.seq ?? 0
  const last = window.messages.at(-1)?.seq ?? 0
  const fitting = given.filter(
    (it) => it.threadId === threadId && (it.seq >= first || !window.hasOlder) && (it.seq <= last || !window.hasNewer),
  )
  const [parent] = window.parent
    ? mergeMessages(
        [window.parent],
        given.filter(({ id }) => id === threadId),
      )
    : []
  return put(window, mergeMessages(window.messages, fitting), parent)
}

/** A window with other messages; itself where they are the same. */
function put(window: MessageWindow, messages: Message[], parent: Message | undefined): MessageWindow {
  const isSame = messages.length === window.messages.length && messages.every((it, i) => it === window.messages[i])
  if (isSame && parent === window.parent) return window
  return { ...window, messages, ...(parent && { parent }) }
}

/** A window in which each message, and the parent, is what `by` makes of it. */
export const mapWindow = (window: MessageWindow, by: (message: Message) => Message) =>
  put(window, window.messages.map(by), window.parent && by(window.parent))

/**
 * Puts an older page in front. One that was read before the known revision sets the window back to it, so that what
 * changed in the page since then is asked for; what comes twice does no harm.
 */
export function prepend(window: MessageWindow, page: MessageWindow): MessageWindow {
  const { messages, parent, hasOlder, known } = page
  const taken = take({ ...window, hasOlder: false }, parent ? [parent, ...messages] : messages)
  return { ...taken, hasOlder, known: Math.min(window.known, known) }
}

/** Puts a newer page behind, as `prepend` puts an older one in front. */
export function append(window: MessageWindow, page: MessageWindow): MessageWindow {
  const { messages, hasNewer, known } = page
  return { ...take({ ...window, hasNewer: false }, messages), hasNewer, known: Math.min(window.known, known) }
}

/** The part of a window that begins, or ends, with it; the other end is read again when somebody comes there. */
export function trim(window: MessageWindow, most: number, keep: 'oldest' | 'newest'): MessageWindow {
  const { messages } = window
  if (messages.length <= most) return window
  return keep === 'oldest'
    ? { ...window, messages: messages.slice(0, most), hasNewer: true }
    : { ...window, messages: messages.slice(-most), hasOlder: true }
}

/** Whether a message of this number stands in a window, or would. */
export const holds = ({ messages, hasOlder, hasNewer }: MessageWindow, seq: number) =>
  (!hasOlder || seq >= (messages[0]?.seq ?? 0)) && (!hasNewer || seq <= (messages.at(-1)?.seq ?? 0))

/** The rule: the revision after the known one is taken, a known one dropped; further on, something was missed. */
export function hear(window: MessageWindow, told: Told): MessageWindow | 'gap' {
  const { rev, message } = told
  if (rev <= window.known) return window
  if (rev > window.known + 1) return 'gap'
  const taken = message ? take(window, [message]) : window
  return { ...mapWindow(taken, (it) => after(it, told)), known: rev }
}

/**
 * Brings in what changed after revision `asked`; events may have moved the window on meanwhile. Answers 'reload' where
 * too much changed, or where the server is behind what was asked: then it has another, older database.
 */
export function catchUpWith(window: MessageWindow, changes: Changes, asked: number): MessageWindow | 'reload' {
  if ('reload' in changes || changes.rev < asked) return 'reload'
  const taken = take(window, changes.messages)
  // Set back meanwhile for an older page, it is still behind: what lies before `asked` was not in the answer.
  return window.known < asked ? taken : { ...taken, known: Math.max(window.known, changes.rev) }
}
