/** Milliseconds in which a browser that has voices has found them. */
const SEEKING = 1000

/** Whether there is one. */
export async function hasVoices(): Promise<boolean> {
  const synthesis = globalThis.speechSynthesis
  if (!synthesis) return false
  if (synthesis.getVoices().length > 0) return true
  await Promise.race([
    new Promise((resolve) => synthesis.addEventListener('voiceschanged', resolve, { once: true })),
    new Promise((resolve) => setTimeout(resolve, SEEKING)),
  ])
  return synthesis.getVoices().length > 0
}

/** Speaks sentence by sentence: some browsers fall silent in the middle of a long text. */
export async function speakHere(text: string, signal: AbortSignal, onSound: () => void): Promise<void> {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
  signal.addEventListener('abort', () => speechSynthesis.cancel())
  for (const { segment } of sentences) {
    if (signal.aborted) return
    if (segment.trim() !== '') await say(segment, signal, onSound)
  }
}

const say = (words: string, signal: AbortSignal, onSound: () => void) =>
  new Promise<void>((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(words)
    // Not that of the page, which is English whatever people write.
    utterance.lang = navigator.language
    utterance.onstart = onSound
    utterance.onend = () => resolve()
    utterance.onerror = ({ error }) => reject(new Error(error))
    signal.addEventListener('abort', () => resolve())
    speechSynthesis.speak(utterance)
  })
