import type { Message } from '#contract/messages'

/** The part of a channel or thread that the browser has loaded: consecutive messages without a gap. */
export interface MessageWindow {
  /** For a thread: the message whose replies these are. */
  parent?: Message
  /** Oldest first. */
  messages: Message[]
  hasOlder: boolean
  /** Whether it ends before the newest message: opened in the middle of a channel. */
  hasNewer: boolean
  /** The channel's revision that it shows. Only events and fetched changes advance it, never the response to a send. */
  rev: number
}

/** Merges by id, keeping the higher revision of each message, in order of `seq`. */
export function mergeMessages(current: readonly Message[], incoming: readonly Message[]): Message[] {
  const byId = new Map(current.map((message) => [message.id, message]))
  for (const message of incoming) {
    const before = byId.get(message.id)
    if (!before || before.rev < message.rev) byId.set(message.id, message)
  }
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

/**
 * Inserts those messages that belong in the window, in any order, and updates the parent. Messages before its first or
 * after its last one are left out if the window does not reach that end of the channel, because they would leave a gap.
 */
export function insertMessages(window: MessageWindow, incoming: readonly Message[]): MessageWindow {
  const threadId = window.parent?.id ?? null
  const first = window.messages[0]?.seq ?? 0
  const last = window.messages.at(-1)?.seq ?? 0
  const fitting = incoming.filter(
    (message) =>
      message.threadId === threadId &&
      (message.seq >= first || !window.hasOlder) &&
      (message.seq <= last || !window.hasNewer),
  )
  const [parent] = window.parent
    ? mergeMessages(
        [window.parent],
        incoming.filter(({ id }) => id === threadId),
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
  const next = insertMessages({ ...window, hasOlder: false }, parent ? [parent, ...messages] : messages)
  return { ...next, hasOlder, rev: Math.min(window.rev, rev) }
}

/** Appends a newer page, in the same way as `prepend`. */
export function append(window: MessageWindow, page: MessageWindow): MessageWindow {
  const { messages, hasNewer, rev } = page
  return { ...insertMessages({ ...window, hasNewer: false }, messages), hasNewer, rev: Math.min(window.rev, rev) }
}

/** Keeps the messages at one end; the other end is fetched again when the user scrolls there. */
export function trim(window: MessageWindow, maxMessages: number, keep: 'oldest' | 'newest'): MessageWindow {
  const { messages } = window
  if (messages.length <= maxMessages) return window
  return keep === 'oldest'
    ? { ...window, messages: messages.slice(0, maxMessages), hasNewer: true }
    : { ...window, messages: messages.slice(-maxMessages), hasOlder: true }
}

/** Whether a message with this `seq` is, or would be, part of a window. */
export const covers = ({ messages, hasOlder, hasNewer }: MessageWindow, seq: number) =>
  (!hasOlder || seq >= (messages[0]?.seq ?? 0)) && (!hasNewer || seq <= (messages.at(-1)?.seq ?? 0))
