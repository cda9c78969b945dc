import type { Message } from '#contract/messages'

/** Longer than applying an event takes; by then a row that scrolls into view is no arrival. */
const ARRIVAL_MS = 1000

const arrived = new Set<string>()

/** Notes a message of somebody else that arrives while one watches. Those fetched after an outage aren't noted. */
export function noteArrival({ id, userId }: Pick<Message, 'id' | 'userId'>, me: string) {
  if (userId === me) return
  arrived.add(id)
  setTimeout(() => arrived.delete(id), ARRIVAL_MS)
}

export const hasJustArrived = (id: string) => arrived.has(id)

/** Whether my message was written just now. */
export const isJustWritten = (createdAt: string) => Date.now() - Date.parse(createdAt) < ARRIVAL_MS
