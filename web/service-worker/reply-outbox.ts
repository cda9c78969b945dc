// Sends what was written in notifications. It goes through the outbox of the pages, so whatever can't be sent now is sent by the next
// page, or shown by it with the reason. A message that is sent twice is stored once.
import type { IDBPDatabase } from 'idb'
import { sendMessage } from '#contract/messages'
import { sendReply } from '#contract/threads'
import { waitOf } from '../features/messages/outbox/hold.ts'
import { type OutboxSchema, openDatabase } from '../features/messages/outbox/outbox-database.ts'
import {
  conversationKey,
  inOrder,
  OUTBOX_CHANNEL,
  outboxLock,
  type PendingMessage,
} from '../features/messages/outbox/pending-message.ts'
import { keptTag } from '../ui/device/push-messages.ts'
import { type Call, callsOf, isPassing } from './calls.ts'

declare const self: ServiceWorkerGlobalScope

/** As long as a page may take to send one message. */
const LOCK_TIMEOUT_MS = 20_000
/** A tab can block the database from opening. */
const OPEN_TIMEOUT_MS = 3000

/** How sending a conversation ended. */
export interface Sending {
  /** Whether what is left may be sent later. */
  isCut: boolean
  /** The keys of messages that the server refuses. They are left to a page, which shows why. */
  refused: Set<string>
}

/**
 * Stores a message on this device, after those that wait in its conversation.
 * @throws Error if the browser can't
 */
export async function storeReply(person: string, message: Omit<PendingMessage, 'createdAt'>) {
  const before = (await storedMessages(person)).map(({ createdAt }) => Date.parse(createdAt) + 1)
  const createdAt = new Date(Math.max(Date.now(), ...before)).toISOString()
  await withOutbox((db) => db.put('messages', { ...message, createdAt }, [person, message.clientId]))
}

export const removeReply = (person: string, clientId: string) =>
  withOutbox((db) => db.delete('messages', [person, clientId]))

/** Sends all stored messages of a person. Returns whether some are left that may be sent later. */
export async function sendStored(person: string): Promise<boolean> {
  const conversations = new Set((await storedMessages(person)).map(conversationKey))
  let isCut = false
  for (const conversation of conversations) isCut = (await sendFrom(person, conversation)).isCut || isCut
  return isCut
}

/** Sends the stored messages of a conversation, in order. */
export async function sendFrom(person: string, conversation: string): Promise<Sending> {
  try {
    return await withLock(outboxLock(person, conversation), () => sendInOrder(person, conversation))
  } catch (error) {
    console.warn('Failed to send a reply:', error)
    return { isCut: true, refused: new Set() }
  } finally {
    tellPages(person)
  }
}

async function sendInOrder(person: string, conversation: string): Promise<Sending> {
  const call = await callsOf(person)
  const refused = new Set<string>()
  const isNext = (message: PendingMessage) =>
    conversationKey(message) === conversation && message.state !== 'failed' && !refused.has(message.clientId)
  for (;;) {
    const [next] = (await storedMessages(person)).filter(isNext).sort(inOrder)
    if (!next) return { isCut: false, refused }
    // Its author may still take it back.
    if (waitOf(next, Date.now(), false) > 0) return { isCut: true, refused }
    const response = await sendNow(call, next)
    if (response.ok) await finish(person, next)
    else if (isPassing(response)) return { isCut: true, refused }
    else refused.add(next.clientId)
  }
}

async function finish(person: string, { clientId }: PendingMessage) {
  await removeReply(person, clientId)
  for (const shown of await self.registration.getNotifications()) if (shown.tag === keptTag(clientId)) shown.close()
}

/** Sends a message that need not be stored. */
export function sendNow(
  call: Call,
  { channelId, threadId, content, clientId, files, alsoToChannel }: Omit<PendingMessage, 'createdAt'>,
) {
  const message = { content, clientId, ...(files && { fileIds: files.map(({ id }) => id) }) }
  return threadId === null
    ? call(sendMessage, { body: { channelId, ...message } })
    : call(sendReply, { body: { parentMessageId: threadId, ...message, ...(alsoToChannel && { alsoToChannel }) } })
}

/** Open pages show, and send, what is left. */
function tellPages(person: string) {
  const channel = new BroadcastChannel(OUTBOX_CHANNEL)
  channel.postMessage(person)
  channel.close()
}

const storedMessages = (person: string): Promise<PendingMessage[]> =>
  withOutbox((db) => db.getAll('messages', IDBKeyRange.bound([person], [person, []])))

async function withOutbox<T>(work: (db: IDBPDatabase<OutboxSchema>) => Promise<T>): Promise<T> {
  const opening = openDatabase(() => {})
  const db = await Promise.race([opening, timeout()])
  if (!db) {
    // If it opens later, nothing uses it.
    opening.then((late) => late.close()).catch(() => {})
    throw new Error('Opening the database timed out')
  }
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

const timeout = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), OPEN_TIMEOUT_MS))

/** No page sends from the conversation at the same time, unless it was frozen while it did. */
async function withLock<T>(name: string, act: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return act()
  let isHeld = false
  const hold = () => {
    isHeld = true
    return act()
  }
  try {
    return await navigator.locks.request(name, { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, hold)
  } catch (error) {
    if (isHeld || (error as Error).name !== 'TimeoutError') throw error
    return navigator.locks.request(name, { steal: true }, act)
  }
}
