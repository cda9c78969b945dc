import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { ASSISTANT } from '#contract/ids'
import { takeTry } from '../limits/attempts.ts'
import { openPlaces } from '../limits/places.ts'
import type { MessageRow } from '../messages/message-rows.ts'
import { startPolling } from '../process/poll.ts'
import type { Services } from '../services.ts'
import { type AnswerStream, streamAnswer } from './answer-stream.ts'
import { beginAnswer, endAbandoned, hasAnswer } from './answers.ts'
import type { Question } from './conversation.ts'
import { retry } from './retry.ts'

export interface Assistant {
  /**
   * Call with every message that was sent, also when it is repeated: the server may have stored it and died, or given
   * up, before it was heard. Where it calls the assistant and has no answer, one begins. Neither waits nor throws.
   */
  onMessage(message: MessageRow): void
  /** Ends an answer that is written on this node. */
  stop(messageId: string): void
  close(): Promise<void>
}

/** Answers being written at once, and questions that wait for that; answers of one person under way. */
const AT_ONCE = 8
const WAITING = 200
const OF_ONE = 3
/** Checks for answers whose node died, and the seconds after which one counts as such. */
const POLL_INTERVAL_MS = 5_000
const ABANDONED = 15
/** Milliseconds that answers have to end when the server stops. */
const FAREWELL = 2_000
const HOUR = 3600

const ABANDONED_SENTENCE = '_The answer was interrupted. Ask again._'

/** The assistant hears its name in every channel, and everything in a conversation with it alone. */
export function startAssistant(services: Services): Assistant {
  const { config, db, log, people } = services
  const { quota } = config.assistant
  const gate = pLimit(AT_ONCE)
  const writings = new Map<string, AnswerStream>()
  const running = openPlaces()
  const heard = new Set<string>()
  /** Whether a channel is a conversation of one person with the assistant, which never changes. */
  const talks = new LRUCache<string, Promise<boolean>>({ max: 100_000 })
  let stopped = false

  function onMessage(message: MessageRow) {
    // It never answers itself.
    if (message.userId === ASSISTANT || message.deletedAt || stopped || heard.has(message.id)) return
    heard.add(message.id)
    consider(message)
      .catch((error) => {
        if (!stopped) log.warn({ err: error }, 'a question could not be answered')
      })
      .finally(() => heard.delete(message.id))
  }

  async function consider(message: MessageRow) {
    const { id, channelId, userId, content, seq } = message
    const isTalk = await isTalkWithMe(channelId)
    if (!isTalk && !message.mentions.some((it) => it.userId === ASSISTANT)) return
    if (await hasAnswer(services, id)) return
    const userOf = await people.namesOf([userId])
    const question: Question = {
      questionId: id,
      channelId,
      askedBy: userId,
      asker: userOf(userId).username,
      content,
      seq,
      askedIn: message.threadId,
      // In a conversation with it alone the answer follows; elsewhere it stands in the question's thread.
      threadId: message.threadId ?? (isTalk ? null : id),
      place: isTalk ? undefined : channelId,
    }
    const refusal = isBusy(userId) ?? (await counted(userId, () => answer(question)))
    if (refusal === undefined) return
    // Once in a while is enough to be told.
    if ((await takeTry(db, `assistant-told ${userId}`, { window: 60, max: 1 })).allowed)
      await beginAnswer(services, question, refusal)
  }

  function isBusy(askedBy: string): string | undefined {
    if (running.count(askedBy) >= OF_ONE)
      return 'I am still answering your other questions. Ask again when they are done.'
    if (gate.pendingCount >= WAITING) return 'Too many people ask me at the moment. Ask again in a minute.'
    return undefined
  }

  /** Answers, or tells why not. */
  async function answer(question: Question): Promise<string | undefined> {
    const { askedBy } = question
    const { allowed, retryAfter } = await takeTry(db, `assistant ${askedBy}`, { window: HOUR, max: quota })
    if (!allowed) {
      const minutes = Math.ceil(retryAfter / 60)
      return `You have asked me ${quota === 1 ? 'once' : `${quota} times`} within an hour, which is as often as I answer one person. Ask again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
    }
    const id = await retry(
      () => beginAnswer(services, question),
      () => stopped,
    )
    if (!id) return undefined
    const writing = streamAnswer(services, question, id, gate)
    writings.set(id, writing)
    await writing.ended.finally(() => writings.delete(id))
    return undefined
  }

  /** Counts what one person has under way. */
  async function counted<T>(askedBy: string, act: () => Promise<T>): Promise<T> {
    running.enter(askedBy)
    try {
      return await act()
    } finally {
      running.leave(askedBy)
    }
  }

  function isTalkWithMe(channelId: string): Promise<boolean> {
    const known = talks.get(channelId)
    if (known) return known
    const asked = db
      .selectFrom('channels')
      .innerJoin('memberships', 'memberships.channelId', 'channels.id')
      .select('channels.id')
      .where('channels.id', '=', channelId)
      .where('kind', '=', 'direct')
      .where('memberCount', '=', 2)
      .where('memberships.userId', '=', ASSISTANT)
      .executeTakeFirst()
      .then((found) => found !== undefined)
    talks.set(channelId, asked)
    asked.catch(() => talks.delete(channelId))
    return asked
  }

  const failure = 'interrupted answers could not be ended'
  const stopPolling = startPolling({ intervalMs: POLL_INTERVAL_MS, firstDelayMs: 500, log, failure }, async () => {
    await endAbandoned(services, ABANDONED, ABANDONED_SENTENCE, (id) => writings.has(id))
    return undefined
  })

  return {
    onMessage,
    stop: (messageId) => writings.get(messageId)?.end('stopped'),
    close: async () => {
      stopped = true
      const all = [...writings.values()]
      for (const writing of all) writing.end('closing')
      const farewell = new Promise((resolve) => setTimeout(resolve, FAREWELL).unref())
      await Promise.race([Promise.allSettled([stopPolling(), ...all.map(({ ended }) => ended)]), farewell])
    },
  }
}
