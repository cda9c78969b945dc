import type { Message } from '#contract/messages'
import { spokenText } from '#contract/spoken-text'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { findVoice, speakInBrowser } from './browser-speech.ts'
import { deleteSpeech, fetchSpeech } from './server-speech.ts'

/** Speaks a message to its end or until it is aborted, with the server's voice or else the browser's. */
export async function speak(message: Message, signal: AbortSignal, onStart: () => void): Promise<void> {
  const text = spokenText(message.content)
  if (text === '') return void showToast(t('messages.readAloud.nothing'))
  const audio = new Audio()
  // Safari allows later playback only if the click itself touched the element.
  audio.load()
  const recording = await fetchSpeech(message, signal)
  if (signal.aborted) return
  if (recording) {
    return play(audio, recording, signal, onStart).catch(async (error) => {
      await deleteSpeech(message)
      throw error
    })
  }
  const voice = await findVoice()
  if (!voice) return void showToast(t('messages.readAloud.unavailable'))
  if (!signal.aborted) await speakInBrowser({ text, voice, signal, onStart })
}

async function play(audio: HTMLAudioElement, recording: Blob, signal: AbortSignal, onStart: () => void) {
  const url = URL.createObjectURL(recording)
  try {
    await new Promise<void>((resolve, reject) => {
      audio.onplaying = onStart
      audio.onended = () => resolve()
      audio.onerror = () => reject(audio.error)
      signal.addEventListener('abort', () => {
        audio.pause()
        resolve()
      })
      audio.src = url
      audio.play().catch(reject)
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}
