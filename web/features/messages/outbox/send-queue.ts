import { type Message, sendMessage } from '#contract/messages'
import { sendReply } from '#contract/threads'
import { ApiError, fetchResponse, isRefusal, queryClient } from '../../../api-client/api.ts'
import { t } from '../../../i18n/text.ts'
import { insertSent } from '../sync/message-queries.ts'
import { waitOf } from './hold.ts'
import { conversationKey, outboxLock, type PendingMessage } from './pending-message.ts'
import type { PendingMessages } from './pending-messages.ts'
import { handleRefusal } from './refused-message.ts'
import { createRetryWaits } from './retry-waits.ts'
import { withTabLock } from './tab-lock.ts'

/** Sends a user's pending messages: one at a time per conversation, in the order in which they were written. */
export class SendQueue {
  readonly #userId: string
  readonly #pending: PendingMessages
  readonly #waits = createRetryWaits((conversation) => void this.#drain(conversation))
  #isRunning = false
  /** Once closed, the results of requests that are still running are ignored. */
  #isClosed = false
  readonly #busy = new Set<string>()
  /** Messages written or retried in this tab: it sends them first, and if refused, they return to its composer. */
  readonly own = new Set<string>()
  /** Timers of conversations whose next message is held. */
  readonly #holds = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(userId: string, pending: PendingMessages) {
    this.#userId = userId
    this.#pending = pending
  }

  start() {
    this.#isRunning = true
    this.sendWaiting()
  }

  stop() {
    this.#isRunning = false
    this.#waits.endAll()
  }

  close() {
    this.stop()
    this.#isClosed = true
  }

  /** Sends a message of this tab after those before it in its conversation. */
  sendOwn(message: PendingMessage) {
    const conversation = conversationKey(message)
    this.own.add(message.clientId)
    if (this.#waits.has(conversation)) void this.#queueBehind(conversation)
    else void this.#drain(conversation)
  }

  retry(message: PendingMessage) {
    void this.#pending.change(message, { state: 'sending' })
    this.#waits.end(conversationKey(message))
    this.sendOwn(message)
  }

  /** Ends the hold of messages of this tab. */
  release(messages: readonly PendingMessage[]) {
    for (const message of messages) void this.#pending.change(message, { state: 'sending', heldUntil: 0 })
    for (const message of messages) this.sendOwn(message)
  }

  /** Ends a message's hold when its time is over, even if those before it have not been sent: no button may outlive it. */
  releaseInTime(message: PendingMessage) {
    const waitMs = this.#waitOf(message)
    const release = () => {
      const current = this.#pending.get(message.clientId)
      if (current?.heldUntil && !this.#isClosed) this.release([current])
    }
    if (waitMs > 0) setTimeout(release, waitMs)
  }

  /** Sends everything that waits for a retry. Call it when the connection may be back. */
  sendWaiting() {
    for (const conversation of this.#pending.conversations()) {
      this.#waits.end(conversation)
      void this.#drain(conversation)
    }
  }

  /** Sends messages that have no retry scheduled: those of a closed or suspended tab. */
  sendOrphaned() {
    for (const conversation of this.#pending.conversations()) void this.#drain(conversation)
  }

  async #drain(conversation: string) {
    const isWaiting = this.#waits.has(conversation)
    if (!this.#isRunning || this.#busy.has(conversation) || isWaiting || !this.#dueIn(conversation)) return
    this.#busy.add(conversation)
    try {
      while (await withTabLock(outboxLock(this.#userId, conversation), () => this.#sendNext(conversation)));
    } finally {
      this.#busy.delete(conversation)
    }
    // A message may have been written while the lock was being released.
    void this.#drain(conversation)
  }

  #nextIn(conversation: string) {
    return this.#pending.in(conversation).find(({ state }) => state !== 'failed')
  }

  #waitOf(message: PendingMessage) {
    return waitOf(message, Date.now(), this.own.has(message.clientId))
  }

  /** The next message of a conversation, once it is no longer held. */
  #dueIn(conversation: string) {
    const next = this.#nextIn(conversation)
    const waitMs = next ? this.#waitOf(next) : 0
    clearTimeout(this.#holds.get(conversation))
    if (waitMs === 0) return next
    this.#holds.set(
      conversation,
      setTimeout(() => void this.#drain(conversation), waitMs),
    )
    return undefined
  }

  /** Returns whether there may be another message to send. */
  async #sendNext(conversation: string): Promise<boolean> {
    // Another tab may have sent some while it held the lock.
    await this.#pending.read()
    const next = this.#dueIn(conversation)
    if (!this.#isRunning || !next) return false
    this.#pending.markSending(next)
    try {
      return await this.#deliver(next)
    } finally {
      this.#pending.unmarkSending(next)
    }
  }

  async #deliver(message: PendingMessage): Promise<boolean> {
    try {
      const sent: Message = await (await post(message)).json()
      if (this.#isClosed) return false
      insertSent(queryClient, sent)
      this.#waits.end(conversationKey(message))
      await this.#pending.remove(message)
      return true
    } catch (error) {
      if (this.#isClosed) return false
      // Without a session it waits until its author has signed in again.
      if (isRefusal(error) && error.status !== 401) {
        await handleRefusal(this.#pending, message, error, this.own.has(message.clientId))
        return true
      }
      const isAnswered = error instanceof ApiError
      const reason = isAnswered ? waitReason(error) : t('messages.outbox.offline')
      this.#waits.begin(conversationKey(message), isAnswered ? error.retryAfterMs : undefined)
      await this.#pending.change(message, { state: 'queued', reason })
      await this.#queueBehind(conversationKey(message))
      return false
    }
  }

  /** Queues the messages behind a queued one, for the same reason, except for those still held. */
  async #queueBehind(conversation: string) {
    const first = this.#nextIn(conversation)
    if (first?.state !== 'queued') return
    const { state, reason } = first
    const others = this.#pending
      .in(conversation)
      .filter((message) => message.state === 'sending' && this.#waitOf(message) === 0)
    await Promise.all(others.map((message) => this.#pending.change(message, { state, ...(reason && { reason }) })))
  }
}

/** @throws as `fetchResponse` */
export function post(
  { channelId, threadId, content, clientId, files, alsoToChannel }: PendingMessage,
  options?: { keepalive: true },
) {
  const message = { content, clientId, ...(files && { fileIds: files.map(({ id }) => id) }) }
  return threadId === null
    ? fetchResponse(sendMessage, { body: { channelId, ...message } }, options)
    : fetchResponse(
        sendReply,
        { body: { parentMessageId: threadId, ...message, ...(alsoToChannel && { alsoToChannel }) } },
        options,
      )
}

/** Only a full disk is named, because somebody has to act. */
const waitReason = ({ code }: ApiError) =>
  code === 'storage_full' ? t('messages.outbox.diskFull') : t('messages.outbox.busy')
