import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { ASSISTANT } from '#contract/ids'
import { countAttempt } from '../limits/attempts.ts'
import { createKeyCounter } from '../limits/key-counter.ts'
import type { MessageRow } from '../messages/message-rows.ts'
import { startPolling } from '../process/poll.ts'
import { upTo } from '../process/up-to.ts'
import type { Services } from '../services.ts'
import { type AnswerStream, streamAnswer } from './answer-stream.ts'
import { beginAnswer, endAbandoned, hasAnswer } from './answers.ts'
import type { Question } from './conversation.ts'
import { retry } from './retry.ts'

export interface Assistant {
  /**
   * Call with every sent message, including repeats: the first attempt may have died after storing it. Starts an answer if the
   * message mentions the assistant and has none yet. Returns immediately and never throws.
   * @param languages those of the sender's browser
   */
  onMessage(message: MessageRow, languages: readonly string[]): void
  /** Ends an answer that this node writes. */
  stop(messageId: string): void
  /** The number of answers that this node is writing. */
  writing(): number
  close(): Promise<void>
}

const MAX_CONCURRENT_ANSWERS = 8
const MAX_WAITING_QUESTIONS = 200
const MAX_ANSWERS_PER_USER = 3
/** Interval of checking for answers whose node died, and the age at which they count as such. */
const POLL_INTERVAL_MS = 5_000
const ABANDONED_AFTER_SECONDS = 15
const SHUTDOWN_TIMEOUT_MS = 2_000
const QUOTA_WINDOW_SECONDS = 3600

const ABANDONED_SENTENCE = '_The answer was interrupted. Ask again._'

/** The assistant answers when it is mentioned in a channel, and every message in a direct conversation with it. */
export function startAssistant(services: Services): Assistant {
  const { config, db, log, people } = services
  const { quota } = config.assistant
  const gate = pLimit(MAX_CONCURRENT_ANSWERS)
  const streams = new Map<string, AnswerStream>()
  const running = createKeyCounter()
  const considering = new Set<string>()
  /** Whether a channel is a direct conversation of one user with the assistant; this never changes. */
  const directConversations = new LRUCache<string, Promise<boolean>>(upTo(100_000))
  let isStopped = false

  function onMessage(message: MessageRow, languages: readonly string[]) {
    // It never answers itself.
    if (message.userId === ASSISTANT || message.deletedAt || isStopped || considering.has(message.id)) return
    considering.add(message.id)
    considerMessage(message, languages)
      .catch((error) => {
        if (!isStopped) log.warn({ err: error }, 'a question could not be answered')
      })
      .finally(() => considering.delete(message.id))
  }

  async function considerMessage(message: MessageRow, languages: readonly string[]) {
    const { id, channelId, userId, content, seq } = message
    const isDirect = await isDirectConversation(channelId)
    if (!isDirect && !message.mentions.some((mention) => mention.userId === ASSISTANT)) return
    if (await hasAnswer(services, id)) return
    const userOf = await people.namesOf([userId])
    const question: Question = {
      questionId: id,
      channelId,
      askedBy: userId,
      asker: userOf(userId).username,
      content,
      languages,
      seq,
      askedIn: message.threadId,
      // In a direct conversation the answer follows the question; elsewhere it goes into the question's thread.
      threadId: message.threadId ?? (isDirect ? null : id),
      sharedWith: isDirect ? undefined : channelId,
    }
    const refusal = isBusy(userId) ?? (await countRunning(userId, () => answer(question)))
    if (refusal === undefined) return
    // Refuse at most once a minute.
    if ((await countAttempt(db, `assistant-told ${userId}`, { window: 60, max: 1 })).allowed)
      await beginAnswer(services, question, refusal)
  }

  function isBusy(askedBy: string): string | undefined {
    if (running.count(askedBy) >= MAX_ANSWERS_PER_USER)
      return "I'm still answering your other questions. Ask again when I'm done."
    if (gate.pendingCount >= MAX_WAITING_QUESTIONS)
      return 'Too many people are asking me right now. Try again in a minute.'
    return undefined
  }

  /** Returns the reason if it refuses to answer. */
  async function answer(question: Question): Promise<string | undefined> {
    const { askedBy } = question
    const { allowed, retryAfter } = await countAttempt(db, `assistant ${askedBy}`, {
      window: QUOTA_WINDOW_SECONDS,
      max: quota,
    })
    if (!allowed) {
      const minutes = Math.ceil(retryAfter / 60)
      return `I answer up to ${quota === 1 ? '1 question' : `${quota} questions`} an hour from one person. Ask again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
    }
    const id = await retry(
      () => beginAnswer(services, question),
      () => isStopped,
    )
    if (!id) return undefined
    const stream = streamAnswer(services, question, id, gate)
    streams.set(id, stream)
    await stream.ended.finally(() => streams.delete(id))
    return undefined
  }

  async function countRunning<T>(askedBy: string, act: () => Promise<T>): Promise<T> {
    running.enter(askedBy)
    try {
      return await act()
    } finally {
      running.leave(askedBy)
    }
  }

  function isDirectConversation(channelId: string): Promise<boolean> {
    const cached = directConversations.get(channelId)
    if (cached) return cached
    const result = db
      .selectFrom('channels')
      .innerJoin('memberships', 'memberships.channelId', 'channels.id')
      .select('channels.id')
      .where('channels.id', '=', channelId)
      .where('kind', '=', 'direct')
      .where('memberCount', '=', 2)
      .where('memberships.userId', '=', ASSISTANT)
      .executeTakeFirst()
      .then((found) => found !== undefined)
    directConversations.set(channelId, result)
    result.catch(() => directConversations.delete(channelId))
    return result
  }

  const failure = 'interrupted answers could not be ended'
  const stopPolling = startPolling({ intervalMs: POLL_INTERVAL_MS, firstDelayMs: 500, log, failure }, async () => {
    await endAbandoned(services, ABANDONED_AFTER_SECONDS, ABANDONED_SENTENCE, (id) => streams.has(id))
    return undefined
  })

  return {
    onMessage,
    writing: () => streams.size,
    stop: (messageId) => streams.get(messageId)?.end('stopped'),
    close: async () => {
      isStopped = true
      const all = [...streams.values()]
      for (const stream of all) stream.end('closing')
      const timeout = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_TIMEOUT_MS).unref())
      await Promise.race([Promise.allSettled([stopPolling(), ...all.map(({ ended }) => ended)]), timeout])
    },
  }
}
