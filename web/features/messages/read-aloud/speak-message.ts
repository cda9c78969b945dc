import type { Message } from '#contract/messages'
import { spokenText } from '#contract/spoken-text'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { hasVoices, speakHere } from './browser-speech.ts'
import { deleteSpeech, fetchSpeech } from './server-speech.ts'

/** Speaks a message to its end, or until it is called off: in the server's voice, else in one of the browser's. */
export async function speak(message: Message, signal: AbortSignal, onSound: () => void): Promise<void> {
  const text = spokenText(message.content)
  if (text === '') return void showToast('There is nothing to read aloud')
  const audio = new Audio()
  // Safari lets it begin later where the click itself touched it.
  audio.load()
  const sound = await fetchSpeech(message, signal)
  if (signal.aborted) return
  if (sound) {
    return play(audio, sound, signal, onSound).catch(async (error) => {
      await deleteSpeech(message)
      throw error
    })
  }
  if (!(await hasVoices())) return void showToast('Reading aloud is not available in this browser')
  if (!signal.aborted) await speakHere(text, signal, onSound)
}

async function play(audio: HTMLAudioElement, sound: Blob, signal: AbortSignal, onSound: () => void) {
  const address = URL.createObjectURL(sound)
  try {
    await new Promise<void>((resolve, reject) => {
      audio.onplaying = onSound
      audio.onended = () => resolve()
      audio.onerror = () => reject(audio.error)
      signal.addEventListener('abort', () => {
        audio.pause()
        resolve()
      })
      audio.src = address
      audio.play().catch(reject)
    })
  } finally {
    URL.revokeObjectURL(address)
  }
}
