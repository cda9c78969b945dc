import { sendMessage } from '#contract/messages'
import { sendReply } from '#contract/threads'
import { ApiError, call, isRefusal, queryClient } from '../../../api-client/api.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { attachmentsIn, restoreAttachments } from './attachments.ts'
import { draftOf, saveDrafts, setDraft } from './drafts.ts'
import { isComposerOpen } from './open-conversations.ts'
import { conversationKey, type PendingMessage, targetOf } from './pending-message.ts'
import {
  changeRow,
  conversationsWithRows,
  markSending,
  outboxAuthor,
  pendingIn,
  readRows,
  removeRow,
  unmarkSending,
} from './pending-messages.ts'
import { withTabLock } from './tab-lock.ts'

const RETRY_DELAY_MS = 1000
const MAX_RETRY_DELAY_MS = 30_000

/** Nothing is sent while its author is signed out. */
let isOpen = false
/** Conversations this tab is sending from. Each author gets a new set, so that none waits for another's messages. */
let busy = new Set<string>()
/** Conversations that wait for a retry, and their last delay. */
const waits = new Map<string, ReturnType<typeof setTimeout>>()
const delays = new Map<string, number>()
/** Messages written or retried in this tab: if refused, they return to this tab's composer. */
const mine = new Set<string>()

export function startSending() {
  isOpen = true
}

export function stopSending() {
  isOpen = false
  for (const conversation of [...waits.keys()]) endWait(conversation)
}

/** Ignores the results of requests that are still running. */
export function forgetSending() {
  stopSending()
  busy = new Set()
  mine.clear()
}

/** Sends a message of this tab after those before it in its conversation. */
export function sendOwn(message: PendingMessage) {
  const conversation = conversationKey(message)
  mine.add(message.clientId)
  if (waits.has(conversation)) void queueBehind(conversation)
  else void drain(conversation)
}

/** Sends everything that waits for a retry. Call it when the connection may be back. */
export function sendWaiting() {
  for (const conversation of conversationsWithRows()) {
    endWait(conversation)
    void drain(conversation)
  }
}

/** Sends messages that have no retry scheduled: those of a tab that was closed or sleeps. */
export function sendOrphaned() {
  for (const conversation of conversationsWithRows()) void drain(conversation)
}

/** Sends one message at a time per conversation, so that they arrive in the order in which they were written. */
async function drain(conversation: string) {
  const held = busy
  if (!isOpen || held.has(conversation) || waits.has(conversation) || !nextIn(conversation)) return
  held.add(conversation)
  try {
    while (await withTabLock(`parley outbox ${outboxAuthor()} ${conversation}`, () => sendNext(conversation, held)));
  } finally {
    held.delete(conversation)
  }
  // A message may have been written while the lock was being released.
  if (busy === held) void drain(conversation)
}

const nextIn = (conversation: string) => pendingIn(conversation).find(({ state }) => state !== 'failed')

/** Returns whether there may be another message to send. */
async function sendNext(conversation: string, held: typeof busy): Promise<boolean> {
  // Another tab may have sent some while it held the lock.
  await readRows()
  const next = nextIn(conversation)
  if (!isOpen || busy !== held || !next) return false
  markSending(next)
  try {
    return await deliver(next, held)
  } finally {
    unmarkSending(next)
  }
}

async function deliver(message: PendingMessage, held: typeof busy): Promise<boolean> {
  try {
    const sent = await post(message)
    if (busy !== held) return false
    insertSent(queryClient, sent)
    endWait(conversationKey(message))
    await removeRow(message)
    return true
  } catch (error) {
    if (busy !== held) return false
    // Without a session it waits for its person to sign in again.
    if (isRefusal(error) && error.status !== 401) {
      await refused(message, error)
      return true
    }
    const answered = error instanceof ApiError
    const reason = answered ? 'Queued. The server is busy' : 'Queued. Waiting for the connection'
    wait(conversationKey(message), answered ? error.retryAfterMs : undefined)
    await changeRow(message, { state: 'queued', reason })
    await queueBehind(conversationKey(message))
    return false
  }
}

/** Messages behind a queued one are queued for the same reason. */
async function queueBehind(conversation: string) {
  const first = nextIn(conversation)
  if (first?.state !== 'queued') return
  const { state, reason } = first
  const others = pendingIn(conversation).filter((pending) => pending.state === 'sending')
  await Promise.all(others.map((pending) => changeRow(pending, { state, ...(reason && { reason }) })))
}

function post({ channelId, threadId, content, clientId, files }: PendingMessage) {
  const message = { content, clientId, ...(files && { fileIds: files.map(({ id }) => id) }) }
  return threadId === null
    ? call(sendMessage, { body: { channelId, ...message } })
    : call(sendReply, { body: { parentMessageId: threadId, ...message } })
}

/**
 * Returns the text to the composer of the tab in which it was written. If that holds other text by now, or is gone
 * because another tab or a reloaded one sent the message, the message stays as a failed row.
 */
async function refused(message: PendingMessage, error: ApiError) {
  const conversation = conversationKey(message)
  const failure = message.threadId === null ? 'Not sent' : 'Failed to create thread message'
  const reason = `${failure}: ${error.reason ?? error.message}`
  console.error(`${failure}:`, error)
  const isPlaceGone = error.status === 404
  const isStranded = isPlaceGone || error.code === 'not_a_member'
  if (!isPlaceGone && !isComposerOpen(conversation)) showToast(`${reason}. The text is back where you wrote it.`)
  if (!isPlaceGone && mine.has(message.clientId) && isEmpty(conversation)) {
    setDraft(conversation, { text: message.content, refusal: reason, to: targetOf(message) })
    if (message.files) restoreAttachments(conversation, message.files)
    // Saved before the row is removed, so that a crash cannot lose it.
    saveDrafts()
    await removeRow(message)
  } else {
    await changeRow(message, { state: 'failed', reason, ...(isStranded && { isStranded }) })
  }
}

const isEmpty = (conversation: string) => draftOf(conversation).text === '' && attachmentsIn(conversation).length === 0

function wait(conversation: string, asked: number | undefined) {
  const delay = Math.min((delays.get(conversation) ?? RETRY_DELAY_MS / 2) * 2, MAX_RETRY_DELAY_MS)
  clearTimeout(waits.get(conversation))
  delays.set(conversation, delay)
  const again = () => {
    waits.delete(conversation)
    void drain(conversation)
  }
  waits.set(conversation, setTimeout(again, asked ?? delay))
}

export function endWait(conversation: string) {
  clearTimeout(waits.get(conversation))
  waits.delete(conversation)
  delays.delete(conversation)
}
