import type { Message } from '#contract/messages'
import { speakMessage } from '#contract/speech'
import { fetchResponse, queryClient } from '../../../api-client/api.ts'
import { sessionUserId } from '../../../session/session.ts'
import { mayStoreFor } from '../../../ui/device/local-storage.ts'
import { assistantAbilities } from './assistant-abilities.ts'
import { openSpeechCache } from './speech-cache.ts'

/** Generating speech for a long message is slow. */
const SPEECH_TIMEOUT_MS = 120_000

/** The server's speech for a message, cached for the next time; undefined if the server has no voice. */
export async function fetchSpeech({ id, editedAt }: Message, signal: AbortSignal): Promise<Blob | undefined> {
  const { speech } = await queryClient.fetchQuery({ ...assistantAbilities, staleTime: 0 })
  if (!speech) return undefined
  const userId = sessionUserId() ?? ''
  const cache = await openSpeechCache()
  const key = `${cacheKey(id)}?edited=${editedAt ?? ''}`
  const cached = await cache?.match(key)
  if (cached) return cached.blob()

  const response = await fetchResponse(
    speakMessage,
    { params: { messageId: id } },
    { signal, timeoutMs: SPEECH_TIMEOUT_MS },
  )
  const recording = await response.blob()
  // Signing out aborts as well; nothing may be cached then.
  signal.throwIfAborted()
  await cache?.delete(cacheKey(id), { ignoreSearch: true })
  if (mayStoreFor(userId))
    await cache?.put(key, new Response(recording)).catch((error) => console.error('Failed to cache speech:', error))
  return recording
}

/** Removes a recording that cannot be played from the cache. */
export async function deleteSpeech({ id }: Message) {
  const cache = await openSpeechCache()
  await cache?.delete(cacheKey(id), { ignoreSearch: true })
}

/** Only a cache key: nothing is requested from this path. */
const cacheKey = (messageId: string) => `/tts/${messageId}`
