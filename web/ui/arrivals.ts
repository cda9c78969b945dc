/** Longer than applying an event takes; by then a row that scrolls into view is no arrival. */
const ARRIVAL_MS = 1000

/** What arrived within the last moment, numbered in order. */
const arrived = new Map<string, number>()
let latest = 0

/**
 * Notes what a live event or the user has just added or changed: only that may move as it appears. What was fetched, such as
 * after an outage, isn't noted.
 */
export function noteArrival(key: string) {
  const number = ++latest
  arrived.set(key, number)
  setTimeout(() => arrived.get(key) === number && arrived.delete(key), ARRIVAL_MS)
}

/** A point in time, for `hasJustArrived`. */
export const latestArrival = () => latest

/** @param since leaves out what arrived before this point, such as before a list was opened */
export const hasJustArrived = (key: string, since = 0) => (arrived.get(key) ?? 0) > since

/** The key of a reaction. */
export const reactionKey = (messageId: string, emoji: string) => `${messageId} ${emoji}`
