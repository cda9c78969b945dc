import { Readable } from 'node:stream'
import type { SpeechConfig } from '../config/assistant-settings.ts'
import { reasonOf, speechUnavailable } from '../errors.ts'
import type { Logger } from '../process/logger.ts'

const FIRST_BYTE_TIMEOUT_MS = 15_000
const CHUNK_TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Streams a text as audio (audio/mpeg) while the provider generates it. The stream fails if the provider breaks off.
 * @param signal aborts it when the listener disconnects
 * @throws AppError 503 if there is no audio at all
 */
export async function speak(speech: SpeechConfig, text: string, log: Logger, signal: AbortSignal) {
  const ending = new AbortController()
  const giveUp = () => ending.abort(new Error('it took too long'))
  let timer = setTimeout(giveUp, FIRST_BYTE_TIMEOUT_MS)
  signal.addEventListener('abort', () => ending.abort(new Error('the listener left')), { once: true })
  const failed = (reason: string) => {
    clearTimeout(timer)
    ending.abort()
    // The reason contains neither the text nor the key.
    if (!signal.aborted) log.warn({ reason }, 'the speech provider failed')
    return speechUnavailable(reason)
  }

  const { baseUrl, apiKey, voice, model } = speech
  const response = await fetch(`${baseUrl}/v1/text-to-speech/${encodeURIComponent(voice)}/stream`, {
    method: 'POST',
    // The key must not reach another host.
    redirect: 'error',
    signal: ending.signal,
    headers: { 'content-type': 'application/json', accept: 'audio/mpeg', ...(apiKey && { 'xi-api-key': apiKey }) },
    body: JSON.stringify({
      text,
      model_id: model,
      voice_settings: { stability: 0.5, similarity_boost: 0.75 },
    }),
  }).catch((error) => {
    throw failed(`no answer: ${reasonOf(error)}`)
  })
  if (!response.ok || !response.body) throw failed(`status ${response.status}`)
  const type = response.headers.get('content-type') ?? ''
  if (!/^audio\/|^application\/octet-stream/i.test(type)) throw failed('no audio in its answer')
  const audio = response.body[Symbol.asyncIterator]()
  const next = async () => {
    const chunk = await audio.next()
    clearTimeout(timer)
    if (!chunk.done) timer = setTimeout(giveUp, CHUNK_TIMEOUT_MS)
    return chunk
  }
  // The response starts only once there is audio.
  const first = await next().catch((error) => {
    throw failed(`it broke off: ${reasonOf(error)}`)
  })
  if (first.done) throw failed('it is empty')

  async function* chunks() {
    let bytes = 0
    try {
      for (let chunk = first; !chunk.done; chunk = await next()) {
        bytes += chunk.value.length
        if (bytes > MAX_BYTES) throw new Error('there is no end to it')
        yield chunk.value
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ reason: reasonOf(error) }, 'speech broke off')
      throw error
    } finally {
      clearTimeout(timer)
      ending.abort()
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}
