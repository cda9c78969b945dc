/** Browsers load their voices within this time. */
const VOICES_TIMEOUT_MS = 1000

/** A voice of this device for the browser's language, or else for any; undefined if there is none. */
export async function findVoice(): Promise<SpeechSynthesisVoice | undefined> {
  const synthesis = globalThis.speechSynthesis
  if (!synthesis) return undefined
  if (synthesis.getVoices().length === 0)
    await Promise.race([
      new Promise((resolve) => synthesis.addEventListener('voiceschanged', resolve, { once: true })),
      new Promise((resolve) => setTimeout(resolve, VOICES_TIMEOUT_MS)),
    ])
  return chooseVoice(synthesis.getVoices(), navigator.language)
}

/** Never a remote voice: it would send the text to the browser's maker. @param language such as 'en-US' */
export function chooseVoice<Voice extends Pick<SpeechSynthesisVoice, 'lang' | 'localService' | 'default'>>(
  voices: readonly Voice[],
  language: string,
): Voice | undefined {
  const own = voices.filter(({ localService }) => localService)
  // Android writes en_US.
  const parts = (lang: string) => lang.toLowerCase().split(/[-_]/)
  const isSame = ({ lang }: Voice) => parts(lang).join() === parts(language).join()
  const isRelated = ({ lang }: Voice) => parts(lang)[0] === parts(language)[0]
  return own.find(isSame) ?? own.find(isRelated) ?? own.find((it) => it.default) ?? own[0]
}

interface Speech {
  text: string
  voice: SpeechSynthesisVoice
  signal: AbortSignal
  onStart: () => void
}

/** Speaks sentence by sentence, because some browsers stop in the middle of a long text. */
export async function speakInBrowser({ text, voice, signal, onStart }: Speech): Promise<void> {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
  signal.addEventListener('abort', () => speechSynthesis.cancel())
  for (const { segment } of sentences) {
    if (signal.aborted) return
    if (segment.trim() !== '') await speakSentence({ text: segment, voice, signal, onStart })
  }
}

const speakSentence = ({ text, voice, signal, onStart }: Speech) =>
  new Promise<void>((resolve, reject) => {
    const utterance = new SpeechSynthesisUtterance(text)
    utterance.voice = voice
    // Not the page's language, because users write in other ones.
    utterance.lang = voice.lang
    utterance.onstart = onStart
    utterance.onend = () => resolve()
    utterance.onerror = ({ error }) => reject(new Error(error))
    signal.addEventListener('abort', () => resolve())
    speechSynthesis.speak(utterance)
  })
