import type { Message } from '#contract/messages'
import { failureText } from '../../../api-client/failure-text.ts'
import { withTexts } from '../../../i18n/language.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { keyedStore } from '../../../ui/keyed-store.ts'
import { stopPlayback } from './playback.ts'

/** The state of the message that is being read aloud, by its id; at most one. */
const aloud = keyedStore<'loading' | 'playing'>()

/** The state of reading a message aloud; undefined if it is not being read. */
export const useAloud = ({ id }: Message) => aloud.useAt(id)

export const isAloud = ({ id }: Message) => aloud.get(id) !== undefined

const speechCode = () => withTexts(() => import('./speak-message.ts'))

/** Prefetches the code, because some browsers allow playback only immediately after a click. */
export function prefetchSpeech() {
  speechCode().catch((error) => console.error('Failed to load part of the page:', error))
}

/** Reads a message aloud, or stops reading it. */
export function toggleAloud(message: Message) {
  if (aloud.get(message.id)) return stopPlayback()
  const controller = new AbortController()
  stopPlayback(() => controller.abort())
  void read(message, controller.signal)
}

/** Stops reading a message that was deleted. */
export function endAloud({ id, deletedAt }: Message) {
  if (deletedAt && aloud.get(id)) stopPlayback()
}

const PATH_POLL_INTERVAL_MS = 300

async function read(message: Message, signal: AbortSignal) {
  const { id } = message
  // Reading stops when the user navigates away.
  const startedOn = location.pathname
  const watch = setInterval(() => location.pathname !== startedOn && stopPlayback(), PATH_POLL_INTERVAL_MS)
  const end = () => {
    clearInterval(watch)
    aloud.set(id)
  }
  signal.addEventListener('abort', end)
  aloud.set(id, 'loading')
  try {
    const { speak } = await speechCode()
    await speak(message, signal, () => signal.aborted || aloud.set(id, 'playing'))
  } catch (error) {
    if (!signal.aborted) reportFailure(error)
  }
  // If it was aborted, it may be read again by now.
  if (!signal.aborted) end()
}

function reportFailure(error: unknown) {
  const failure = t('messages.readAloud.failed')
  console.error(`${failure}:`, error)
  showToast(failureText(failure, error))
}
