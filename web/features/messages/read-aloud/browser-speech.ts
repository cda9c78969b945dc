/** Browsers load their voices within this time. */
const VOICES_TIMEOUT_MS = 1000

export async function hasVoices(): Promise<boolean> {
  const synthesis = globalThis.speechSynthesis
  if (!synthesis) return false
  if (synthesis.getVoices().length > 0) return true
  await Promise.race([
    new Promise((resolve) => synthesis.addEventListener('voiceschanged', resolve, { once: true })),
    new Promise((resolve) => setTimeout(resolve, VOICES_TIMEOUT_MS)),
  ])
  return synthesis.getVoices().length > 0
}

/** Speaks sentence by sentence, because some browsers stop in the middle of a long text. */
export async function speakInBrowser(text: string, signal: AbortSignal, onStart: () => void): Promise<void> {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
  signal.addEventListener('abort', () => speechSynthesis.cancel())
  for (const { segment } of sentences) {
    if (signal.aborted) return
    if (segment.trim() !== '') await speakSentence(segment, signal, onStart)
  }
}

const speakSentence = (text: string, signal: AbortSignal, onStart: () => void) =>
  new Promise<void>((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(text)
    // Not the page's language, because users write in other ones.
    utterance.lang = navigator.language
    utterance.onstart = onStart
    utterance.onend = () => resolve()
    utterance.onerror = ({ error }) => reject(new Error(error))
    signal.addEventListener('abort', () => resolve())
    speechSynthesis.speak(utterance)
  })
