import { sendMessage } from '#contract/messages'
import { retryDelay } from '#contract/retry-delay'
import { sendReply } from '#contract/threads'
import { ApiError, call, isRefusal, queryClient } from '../../../api-client/api.ts'
import { failureText, withFullStop } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { attachmentsIn, restoreAttachments } from './attachments.ts'
import { currentDrafts } from './current-drafts.ts'
import { isComposerOpen } from './open-conversations.ts'
import { conversationKey, type PendingMessage, targetOf } from './pending-message.ts'
import type { PendingMessages } from './pending-messages.ts'
import { withTabLock } from './tab-lock.ts'

const RETRY = { firstMs: 1000, maxMs: 30_000 }

/** Sends a user's pending messages: one at a time per conversation, in the order in which they were written. */
export function createSendQueue(userId: string, pending: PendingMessages) {
  let isRunning = false
  /** Once closed, the results of requests that are still running are ignored. */
  let isClosed = false
  const busy = new Set<string>()
  /** Conversations that wait for a retry, and how often they failed. */
  const waits = new Map<string, ReturnType<typeof setTimeout>>()
  const failures = new Map<string, number>()
  /** Messages written or retried in this tab: if refused, they return to this tab's composer. */
  const own = new Set<string>()

  function start() {
    isRunning = true
    sendWaiting()
  }

  function stop() {
    isRunning = false
    for (const conversation of [...waits.keys()]) endWait(conversation)
  }

  function close() {
    stop()
    isClosed = true
  }

  /** Sends a message of this tab after those before it in its conversation. */
  function sendOwn(message: PendingMessage) {
    const conversation = conversationKey(message)
    own.add(message.clientId)
    if (waits.has(conversation)) void queueBehind(conversation)
    else void drain(conversation)
  }

  function retry(message: PendingMessage) {
    void pending.change(message, { state: 'sending' })
    endWait(conversationKey(message))
    sendOwn(message)
  }

  /** Sends everything that waits for a retry. Call it when the connection may be back. */
  function sendWaiting() {
    for (const conversation of pending.conversations()) {
      endWait(conversation)
      void drain(conversation)
    }
  }

  /** Sends messages that have no retry scheduled: those of a tab that was closed or sleeps. */
  function sendOrphaned() {
    for (const conversation of pending.conversations()) void drain(conversation)
  }

  async function drain(conversation: string) {
    if (!isRunning || busy.has(conversation) || waits.has(conversation) || !nextIn(conversation)) return
    busy.add(conversation)
    try {
      while (await withTabLock(`parley outbox ${userId} ${conversation}`, () => sendNext(conversation)));
    } finally {
      busy.delete(conversation)
    }
    // A message may have been written while the lock was being released.
    void drain(conversation)
  }

  const nextIn = (conversation: string) => pending.in(conversation).find(({ state }) => state !== 'failed')

  /** Returns whether there may be another message to send. */
  async function sendNext(conversation: string): Promise<boolean> {
    // Another tab may have sent some while it held the lock.
    await pending.read()
    const next = nextIn(conversation)
    if (!isRunning || !next) return false
    pending.markSending(next)
    try {
      return await deliver(next)
    } finally {
      pending.unmarkSending(next)
    }
  }

  async function deliver(message: PendingMessage): Promise<boolean> {
    try {
      const sent = await post(message)
      if (isClosed) return false
      insertSent(queryClient, sent)
      endWait(conversationKey(message))
      await pending.remove(message)
      return true
    } catch (error) {
      if (isClosed) return false
      // Without a session it waits until its author has signed in again.
      if (isRefusal(error) && error.status !== 401) {
        await handleRefusal(message, error)
        return true
      }
      const isAnswered = error instanceof ApiError
      const reason = isAnswered ? waitReason(error) : t('messages.outbox.offline')
      wait(conversationKey(message), isAnswered ? error.retryAfterMs : undefined)
      await pending.change(message, { state: 'queued', reason })
      await queueBehind(conversationKey(message))
      return false
    }
  }

  /** Queues the messages behind a queued one, for the same reason. */
  async function queueBehind(conversation: string) {
    const first = nextIn(conversation)
    if (first?.state !== 'queued') return
    const { state, reason } = first
    const others = pending.in(conversation).filter((message) => message.state === 'sending')
    await Promise.all(others.map((message) => pending.change(message, { state, ...(reason && { reason }) })))
  }

  /**
   * Returns the text to the composer of the tab in which it was written. If that holds other text by now, or is gone
   * because another tab or a reloaded one sent the message, the message stays as a failed row.
   */
  async function handleRefusal(message: PendingMessage, error: ApiError) {
    const conversation = conversationKey(message)
    const failure = message.threadId === null ? t('messages.outbox.notSent') : t('messages.outbox.replyNotSent')
    const reason = failureText(failure, error)
    console.error(`${failure}:`, error)
    const isConversationGone = error.status === 404
    const isStranded = isConversationGone || error.code === 'not_a_member'
    if (!isConversationGone && !isComposerOpen(conversation))
      showToast(t('messages.outbox.back', { reason: withFullStop(reason) }))
    if (!isConversationGone && own.has(message.clientId) && isEmpty(conversation)) {
      currentDrafts().set(conversation, { text: message.content, refusal: reason, to: targetOf(message) })
      if (message.files) restoreAttachments(conversation, message.files)
      // Saved before the row is removed, so that a crash cannot lose it.
      currentDrafts().save()
      await pending.remove(message)
    } else {
      await pending.change(message, { state: 'failed', reason, ...(isStranded && { isStranded }) })
    }
  }

  /** Waits before the next attempt, as long as the server asks for or longer each time. */
  function wait(conversation: string, retryAfterMs: number | undefined) {
    const failed = (failures.get(conversation) ?? 0) + 1
    clearTimeout(waits.get(conversation))
    failures.set(conversation, failed)
    const again = () => {
      waits.delete(conversation)
      void drain(conversation)
    }
    waits.set(conversation, setTimeout(again, retryAfterMs ?? retryDelay(failed, RETRY)))
  }

  function endWait(conversation: string) {
    clearTimeout(waits.get(conversation))
    waits.delete(conversation)
    failures.delete(conversation)
  }

  return { start, stop, close, sendOwn, retry, sendWaiting, sendOrphaned }
}

function post({ channelId, threadId, content, clientId, files }: PendingMessage) {
  const message = { content, clientId, ...(files && { fileIds: files.map(({ id }) => id) }) }
  return threadId === null
    ? call(sendMessage, { body: { channelId, ...message } })
    : call(sendReply, { body: { parentMessageId: threadId, ...message } })
}

const isEmpty = (conversation: string) =>
  currentDrafts().get(conversation).text === '' && attachmentsIn(conversation).length === 0

/** Only a full disk needs somebody to act. */
const waitReason = ({ code }: ApiError) =>
  code === 'storage_full' ? t('messages.outbox.diskFull') : t('messages.outbox.busy')
