import type { Message } from '#contract/messages'
import { failureText } from '../../../api-client/failure-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { keyedStore } from '../../../ui/keyed-store.ts'
import { stopPlayback } from './audio-deck.ts'

/** What is read aloud, by the message's id: at most one. */
const aloud = keyedStore<'loading' | 'playing'>()

/** How far the reading of a message is; undefined while nobody reads it. */
export const useAloud = ({ id }: Message) => aloud.useAt(id)

export const isAloud = ({ id }: Message) => aloud.get(id) !== undefined

const voices = () => import('./speak-message.ts')

/** Asks for the code of it ahead: some browsers let a sound begin only at once after a click. */
export function fetchVoices() {
  voices().catch((error) => console.error('A part of the page could not be loaded:', error))
}

/** Reads a message aloud; stops, where it is being read. */
export function toggleAloud(message: Message) {
  if (aloud.get(message.id)) return stopPlayback()
  const wanted = new AbortController()
  stopPlayback(() => wanted.abort())
  void read(message, wanted.signal)
}

/** A message that is gone is not read on. */
export function endAloud({ id, deletedAt }: Message) {
  if (deletedAt && aloud.get(id)) stopPlayback()
}

/** Milliseconds between two looks at what page it is. */
const LOOK = 300

async function read(message: Message, signal: AbortSignal) {
  const { id } = message
  // It ends with the page it was started on.
  const startedOn = location.pathname
  const watch = setInterval(() => location.pathname !== startedOn && stopPlayback(), LOOK)
  const end = () => {
    clearInterval(watch)
    aloud.set(id)
  }
  signal.addEventListener('abort', end)
  aloud.set(id, 'loading')
  try {
    const { speak } = await voices()
    await speak(message, signal, () => signal.aborted || aloud.set(id, 'playing'))
  } catch (error) {
    if (!signal.aborted) reportFailure(error)
  }
  // Else it is perhaps read anew by now.
  if (!signal.aborted) end()
}

function reportFailure(error: unknown) {
  const what = 'Failed to generate speech'
  console.error(`${what}:`, error)
  showToast(failureText(what, error))
}
