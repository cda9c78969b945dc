import { queryOptions } from '@tanstack/react-query'
import { getAssistant } from '#contract/assistant'
import type { Message } from '#contract/messages'
import { speakMessage } from '#contract/speech'
import { call, fetchResponse, queryClient } from '../../../api-client/api.ts'
import { sessionUserId } from '../../../session/session.ts'
import { mayStoreFor } from '../../../ui/device/local-storage.ts'
import { openSpeechCache } from './speech-cache.ts'

const assistant = queryOptions({ queryKey: ['assistant'] as const, queryFn: () => call(getAssistant, {}) })

/** Milliseconds: a long message takes its time to be spoken. */
const PATIENCE = 120_000

/** A message as the server speaks it, kept for the next time; undefined where the server has no voice. */
export async function fetchSpeech({ id, editedAt }: Message, signal: AbortSignal): Promise<Blob | undefined> {
  const { speech } = await queryClient.fetchQuery(assistant)
  if (!speech) return undefined
  const person = sessionUserId() ?? ''
  const kept = await openSpeechCache()
  const key = `${addressOf(id)}?edited=${editedAt ?? ''}`
  const held = await kept?.match(key)
  if (held) return held.blob()

  const answer = await fetchResponse(speakMessage, { params: { messageId: id } }, { signal, patience: PATIENCE })
  const sound = await answer.blob()
  // Called off is also what somebody heard who has signed out.
  signal.throwIfAborted()
  await kept?.delete(addressOf(id), { ignoreSearch: true })
  if (mayStoreFor(person))
    await kept?.put(key, new Response(sound)).catch((error) => console.error('A sound could not be kept:', error))
  return sound
}

/** What cannot be played is not kept. */
export async function deleteSpeech({ id }: Message) {
  const kept = await openSpeechCache()
  await kept?.delete(addressOf(id), { ignoreSearch: true })
}

/** Nothing is asked for at this address. */
const addressOf = (messageId: string) => `/tts/${messageId}`
