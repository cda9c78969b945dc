import type { Changes } from '#contract/changes'
import type { Message } from '#contract/messages'
import { applyUpdate, type MessageUpdate } from '../../../cache/message-update.ts'

/** The part of a channel, or of a thread, that this browser holds: consecutive messages without a gap. */
export interface MessageWindow {
  /** Of a thread: the message whose replies these are. */
  parent?: Message
  /** Oldest first. */
  messages: Message[]
  hasOlder: boolean
  /** Whether it ends before the newest message: opened in the middle of a channel. */
  hasNewer: boolean
  /** The channel's revision that it shows. Only events and fetched changes move it, never the reply to a send. */
  rev: number
}

/** Merges by id, keeping the higher revision of each message, in order of `seq`. */
export function mergeMessages(held: readonly Message[], given: readonly Message[]): Message[] {
  const byId = new Map(held.map((message) => [message.id, message]))
  for (const message of given) {
    const before = byId.get(message.id)
    if (!before || before.rev < message.rev) byId.set(message.id, message)
  }
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

/**
 * Inserts messages of the channel, in any order: those that belong into the window, and the parent. Messages before its
 * first or after its last are left out if the window does not reach that end of the channel: they would follow a gap.
 */
export function insertMessages(window: MessageWindow, given: readonly Message[]): MessageWindow {
  const threadId = window.parent?.id ?? null
  const first = window.messages[0]?.seq ?? 0
  const last = window.messages.at(-1)?.seq ?? 0
  const fitting = given.filter(
    (message) =>
      message.threadId === threadId &&
      (message.seq >= first || !window.hasOlder) &&
      (message.seq <= last || !window.hasNewer),
  )
  const [parent] = window.parent
    ? mergeMessages(
        [window.parent],
        given.filter(({ id }) => id === threadId),
      )
    : []
  return withMessages(window, mergeMessages(window.messages, fitting), parent)
}

/** Returns the same window if nothing changed. */
function withMessages(window: MessageWindow, messages: Message[], parent: Message | undefined): MessageWindow {
  const isSame =
    messages.length === window.messages.length && messages.every((message, i) => message === window.messages[i])
  if (isSame && parent === window.parent) return window
  return { ...window, messages, ...(parent && { parent }) }
}

/** Maps each message, and the parent. Returns the same window if nothing changed. */
export const mapWindow = (window: MessageWindow, by: (message: Message) => Message) =>
  withMessages(window, window.messages.map(by), window.parent && by(window.parent))

/**
 * Puts an older page in front. A page of a lower revision sets the window back to that revision, so that changes made to
 * the page since then are fetched; applying a change twice does no harm.
 */
export function prepend(window: MessageWindow, page: MessageWindow): MessageWindow {
  const { messages, parent, hasOlder, rev } = page
  const taken = insertMessages({ ...window, hasOlder: false }, parent ? [parent, ...messages] : messages)
  return { ...taken, hasOlder, rev: Math.min(window.rev, rev) }
}

/** Puts a newer page behind, in the same way as `prepend`. */
export function append(window: MessageWindow, page: MessageWindow): MessageWindow {
  const { messages, hasNewer, rev } = page
  return { ...insertMessages({ ...window, hasNewer: false }, messages), hasNewer, rev: Math.min(window.rev, rev) }
}

/** Keeps `most` messages at one end; the other end is fetched again when somebody scrolls there. */
export function trim(window: MessageWindow, most: number, keep: 'oldest' | 'newest'): MessageWindow {
  const { messages } = window
  if (messages.length <= most) return window
  return keep === 'oldest'
    ? { ...window, messages: messages.slice(0, most), hasNewer: true }
    : { ...window, messages: messages.slice(-most), hasOlder: true }
}

/** Whether a message with this `seq` is, or would be, part of a window. */
export const covers = ({ messages, hasOlder, hasNewer }: MessageWindow, seq: number) =>
  (!hasOlder || seq >= (messages[0]?.seq ?? 0)) && (!hasNewer || seq <= (messages.at(-1)?.seq ?? 0))

/** Applies an event whose revision follows the window's, and ignores an older one. Further ahead there is a gap. */
export function applyEvent(window: MessageWindow, event: MessageUpdate): MessageWindow | 'gap' {
  const { rev, message } = event
  if (rev <= window.rev) return window
  if (rev > window.rev + 1) return 'gap'
  const taken = message ? insertMessages(window, [message]) : window
  return { ...mapWindow(taken, (one) => applyUpdate(one, event)), rev }
}

/**
 * Applies the changes since revision `asked`; events may have moved the window on meanwhile. Returns 'reload' if too much
 * changed, or if the server is behind `asked`: then it has another, older database.
 */
export function applyChanges(window: MessageWindow, changes: Changes, asked: number): MessageWindow | 'reload' {
  if ('reload' in changes || changes.rev < asked) return 'reload'
  const taken = insertMessages(window, changes.messages)
  // If an older page set it back meanwhile, it stays behind: the changes before `asked` are not among these.
  return window.rev < asked ? taken : { ...taken, rev: Math.max(window.rev, changes.rev) }
}
