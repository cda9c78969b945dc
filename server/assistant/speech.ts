import { Readable } from 'node:stream'
import type { SpeechConfig } from '../config/assistant-settings.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../process/logger.ts'

/** Milliseconds until the first sound, and between two pieces of it; bytes of one message. */
const FIRST = 15_000
const NEXT = 10_000
const MOST = 64 * 1024 * 1024

const silent = () =>
  new AppError(503, 'unavailable', 'The speech provider does not answer; try again in a moment', { retryAfter: 5 })

/**
 * A text as sound (audio/mpeg), while the provider makes it. What breaks off makes the stream fail instead of ending.
 * @param gone ends it early: nobody listens any more
 * @throws AppError 503 where there is no sound at all
 */
export async function speak(speech: SpeechConfig, text: string, log: Logger, gone: AbortSignal) {
  const ending = new AbortController()
  const giveUp = () => ending.abort(new Error('it took too long'))
  let timer = setTimeout(giveUp, FIRST)
  gone.addEventListener('abort', () => ending.abort(new Error('nobody listens')), { once: true })
  const failed = (reason: string) => {
    clearTimeout(timer)
    ending.abort()
    // Neither the text nor the key stand in it.
    if (!gone.aborted) log.warn({ reason }, 'the speech provider failed')
    return silent()
  }

  const { baseUrl, apiKey, voice, model } = speech
  const response = await fetch(`${baseUrl}/v1/text-to-speech/${encodeURIComponent(voice)}/stream`, {
    method: 'POST',
    // Elsewhere the key is nobody's business.
    redirect: 'error',
    signal: ending.signal,
    headers: { 'content-type': 'application/json', accept: 'audio/mpeg', ...(apiKey && { 'xi-api-key': apiKey }) },
    body: JSON.stringify({
      text,
      model_id: model,
      voice_settings: { stability: 0.5, similarity_boost: 0.75 },
    }),
  }).catch(() => {
    throw failed('no answer')
  })
  if (!response.ok || !response.body) throw failed(`status ${response.status}`)
  const type = response.headers.get('content-type') ?? ''
  if (!/^audio\/|^application\/octet-stream/i.test(type)) throw failed('no sound in its answer')
  const sound = response.body[Symbol.asyncIterator]()
  const next = async () => {
    const piece = await sound.next()
    clearTimeout(timer)
    if (!piece.done) timer = setTimeout(giveUp, NEXT)
    return piece
  }
  // Only with the first of it in hand is it promised to anybody.
  const first = await next().catch(() => {
    throw failed('it broke off')
  })
  if (first.done) throw failed('it is empty')

  async function* pieces() {
    let bytes = 0
    try {
      for (let piece = first; !piece.done; piece = await next()) {
        bytes += piece.value.length
        if (bytes > MOST) throw new Error('there is no end to it')
        yield piece.value
      }
    } catch (error) {
      if (!gone.aborted) log.warn({ reason: (error as Error).message }, 'speech broke off')
      throw error
    } finally {
      clearTimeout(timer)
      ending.abort()
    }
  }
  return Readable.from(pieces(), { objectMode: false })
}
