import type { LimitFunction } from 'p-limit'
import { PENDING_CONTENT } from '#contract/assistant'
import { limits } from '#contract/limits'
import { contentOf } from '#contract/text'
import { reasonOf } from '../errors.ts'
import { channelRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { endAnswer, touchAnswer } from './answers.ts'
import { listBestMatches } from './best-matches.ts'
import { converse, type Question } from './conversation.ts'
import { ModelFailure } from './model.ts'
import { retry } from './retry.ts'
import { createSources } from './sources.ts'

/** Why an answer ends prematurely. */
type Ending = 'stopped' | 'closing' | 'crowded' | 'late' | 'full'

export interface AnswerStream {
  end(why: Ending): void
  /** Resolves when the answer is stored, complete or not. */
  ended: Promise<void>
}

const PUBLISH_INTERVAL_MS = 150
/** Minimum interval for other nodes. */
const SHARE_INTERVAL_MS = 1_000
/** Leaves room for the closing sentence. */
const MAX_CHARACTERS = limits.messageContent - 200

const SENTENCES: Record<Ending, string> = {
  stopped: 'Stopped.',
  closing: 'The server was stopped before the answer was complete. Ask again.',
  crowded: 'Too many people are asking me right now. Try again in a minute.',
  late: 'It took too long, so the answer ends here.',
  full: 'The answer is too long for a message, so it ends here.',
}

/**
 * Writes an answer whose message exists: publishes the partial text to the channel as it grows, and stores it once, at the end.
 * Always ends: with the whole answer, or with the text so far and a sentence that explains why.
 */
export function streamAnswer(services: Services, question: Question, id: string, gate: LimitFunction): AnswerStream {
  const { config, log, publish, realtime } = services
  const { model, timeout } = config.assistant
  const { channelId, threadId, askedBy } = question
  const sources = createSources()
  const ending = new AbortController()
  const end = (why: Ending) => ending.abort(why)
  let text = ''
  let publishedAt = 0
  let sharedAt = Number.NEGATIVE_INFINITY
  let isOver = false
  let timer = setTimeout(() => end('crowded'), timeout * 1000)

  /** The text so far with its citations as links. Truncated before citing, because a truncated link would be a different one. */
  function citedText(maxCharacters: number): string {
    for (let shown = text.trim(); ; ) {
      const cited = (model ? sources.cite(shown) : shown).toWellFormed()
      if (cited.length <= maxCharacters) return cited
      // Shortened proportionally: thousands of citations grow twentyfold.
      const kept = Math.min(shown.length - 100, (shown.length * maxCharacters) / cited.length)
      shown = `${shown.slice(0, Math.floor(kept))}…`
    }
  }
  function publishProgress() {
    // Late progress would replace the stored answer on screen.
    if (isOver) return
    publishedAt = performance.now()
    const isShared = publishedAt - sharedAt >= SHARE_INTERVAL_MS
    if (isShared) sharedAt = publishedAt
    const content = citedText(MAX_CHARACTERS)
    const toNodes = isShared ? publish : realtime.publishHere
    toNodes(channelRoom(channelId), 'assistant:progress', { channelId, messageId: id, threadId, content, askedBy })
  }
  function onText(piece: string) {
    text += piece.replaceAll('\0', '')
    if (text.length > MAX_CHARACTERS) end('full')
    // Each progress event carries the whole text, so long texts are published less often.
    else if (performance.now() - publishedAt >= PUBLISH_INTERVAL_MS + text.length / 10) publishProgress()
  }
  const heartbeat = setInterval(() => {
    publishProgress()
    touchAnswer(services, id)
      .then((isPending) => isPending ?? end('stopped'))
      .catch((error) => log.warn({ reason: error.message }, 'an answer could not be kept alive'))
  }, services.bounds.answerHeartbeatMs)

  /** @returns the closing sentence, if one is needed */
  async function write(): Promise<string | undefined> {
    // The answer may have been stopped while it waited.
    ending.signal.throwIfAborted()
    clearTimeout(timer)
    timer = setTimeout(() => end('late'), timeout * 1000)
    if (!model) {
      text = await listBestMatches(services, question)
      return undefined
    }
    await converse(services, { model, question, sources, signal: ending.signal, onText })
    // The placeholder alone would be shown as an answer that never ends.
    return ['', PENDING_CONTENT].includes(contentOf(text)) ? 'The model gave no answer.' : undefined
  }

  /** Rejects on abort, so that work that ignores the signal is not awaited. */
  const aborted = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true })
  })
  aborted.catch(() => {})

  async function run() {
    const sentence = await Promise.race([gate(write), aborted]).catch((error: unknown) => sentenceFor(error))
    isOver = true
    clearInterval(heartbeat)
    clearTimeout(timer)
    const last = sentence === undefined ? [] : [`_${sentence}_`]
    await store([citedText(MAX_CHARACTERS), ...last].filter((part) => part !== '').join('\n\n'))
  }

  function sentenceFor(error: unknown) {
    if (ending.signal.aborted) return SENTENCES[ending.signal.reason as Ending]
    // The text is not logged: it may come from a private channel.
    log.warn(
      error instanceof ModelFailure ? { reason: reasonOf(error.cause ?? error) } : { err: error },
      'an answer failed',
    )
    return error instanceof ModelFailure ? error.message : 'Something went wrong, so the answer ends here.'
  }

  const store = (content: string) =>
    retry(
      () => endAnswer(services, channelId, id, content),
      () => ending.signal.reason === 'closing',
    ).catch((error) => {
      // The channel was deleted.
      if (error.status !== 404) throw error
    })

  publishProgress()
  return { end, ended: run() }
}
