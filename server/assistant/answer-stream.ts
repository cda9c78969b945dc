import type { LimitFunction } from 'p-limit'
import { limits } from '#contract/limits'
import { channelRoom } from '../realtime.ts'
import type { Services } from '../services.ts'
import { endAnswer, touchAnswer } from './answers.ts'
import { converse, type Question } from './conversation.ts'
import { ModelFailure } from './model.ts'
import { retry } from './retry.ts'
import { listBestMatches } from './search-tool.ts'
import { createSources } from './sources.ts'

/** Why an answer ends before it is whole. */
type Ending = 'stopped' | 'closing' | 'crowded' | 'late' | 'full'

export interface AnswerStream {
  end(why: Ending): void
  /** Resolves when the answer is stored, whatever became of it. */
  ended: Promise<void>
}

/** Milliseconds between two tellings of what has grown, and between two signs of life. */
const TOLD_EVERY = 150
const ALIVE_EVERY = 2_000
/** Room for the sentence at the end. */
const MOST = limits.messageContent - 200

const SENTENCES: Record<Ending, string> = {
  stopped: 'Stopped.',
  closing: 'The server was stopped before the answer was done. Ask again.',
  crowded: 'Too many people ask me at the moment. Ask again in a minute.',
  late: 'It took too long, so the answer ends here.',
  full: 'The answer became too long for a message, so it ends here.',
}

/**
 * Writes an answer that has begun: tells what grows to those who hear the channel, and stores it once, at its end. It
 * always ends: with the answer, or with what came so far and a sentence.
 */
export function streamAnswer(services: Services, question: Question, id: string, gate: LimitFunction): AnswerStream {
  const { config, log, publish } = services
  const { model, timeout } = config.assistant
  const { channelId, threadId, askedBy } = question
  const sources = createSources()
  const ending = new AbortController()
  const end = (why: Ending) => ending.abort(why)
  let text = ''
  let toldAt = 0
  let isOver = false
  let timer = setTimeout(() => end('crowded'), timeout * 1000)

  /** What was written, no longer than there is room: cut first, because a link that is cut is another one. */
  function written(room: number): string {
    for (let kept = text.trim(); ; kept = `${kept.slice(0, Math.min(room, kept.length - 100))}…`) {
      const cited = (model ? sources.cite(kept) : kept).toWellFormed()
      if (cited.length <= room) return cited
    }
  }
  function tell() {
    // What comes late would stand over the whole answer.
    if (isOver) return
    toldAt = Date.now()
    const content = written(MOST)
    publish(channelRoom(channelId), 'assistant:progress', { channelId, messageId: id, threadId, content, askedBy })
  }
  function onText(piece: string) {
    text += piece.replaceAll('\0', '')
    if (text.length > MOST) end('full')
    // All of it goes to all who hear: of a long one seldomer.
    else if (Date.now() - toldAt >= TOLD_EVERY + text.length / 10) tell()
  }
  const signs = setInterval(() => {
    tell()
    touchAnswer(services, id)
      .then((kept) => kept ?? end('stopped'))
      .catch((error) => log.warn({ reason: error.message }, 'an answer could not be kept alive'))
  }, ALIVE_EVERY)

  /** The answer, or the sentence that tells why there is no more of it. */
  async function write(): Promise<string | undefined> {
    // Who stops a question that waits is not kept waiting.
    ending.signal.throwIfAborted()
    clearTimeout(timer)
    timer = setTimeout(() => end('late'), timeout * 1000)
    if (!model) {
      text = await listBestMatches(services, question, question.content)
      return undefined
    }
    await converse(services, { model, question, sources, signal: ending.signal, onText })
    return text.trim() === '' ? 'The model gave no answer.' : undefined
  }

  /** Does not wait for what cannot be stopped. */
  const aborted = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true })
  })
  aborted.catch(() => {})

  async function run() {
    const sentence = await Promise.race([gate(write), aborted]).catch((error: unknown) => sentenceFor(error))
    isOver = true
    clearInterval(signs)
    clearTimeout(timer)
    const last = sentence === undefined ? [] : [`_${sentence}_`]
    await store([written(MOST), ...last].filter((it) => it !== '').join('\n\n'))
  }

  function sentenceFor(error: unknown) {
    if (ending.signal.aborted) return SENTENCES[ending.signal.reason as Ending]
    // What the model said is not logged: it may be of a private channel.
    log.warn(error instanceof ModelFailure ? { reason: error.message } : { err: error }, 'an answer failed')
    return error instanceof ModelFailure ? error.message : 'Something went wrong here, so the answer ends.'
  }

  const store = (content: string) =>
    retry(
      () => endAnswer(services, channelId, id, content),
      () => ending.signal.reason === 'closing',
    ).catch((error) => {
      // Its channel is gone.
      if (error.status !== 404) throw error
    })

  tell()
  return { end, ended: run() }
}
