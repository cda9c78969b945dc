import { ASSISTANT } from '#contract/ids'
import { mailLanguages, mailTexts } from '../mail/mail-texts.ts'
import { CHANNEL } from './named-channels.ts'

const MAX_WORDS = 8

/** Scripts that don't separate words by spaces. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const segments = (text: string) =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)

/** Whether a word occurs inside so many others that it must be searched for as a whole word. */
export const isShort = (word: string) => /^[!-~]{1,2}$/.test(word)

/**
 * What to search for: the topic of a suggested question, else the longest words of the question without those that only ask.
 * @param question with `CHANNEL` in place of the names of channels
 * @returns nothing if the question has no topic, such as 'What happened in #lunch?'
 */
export function searchWordsOf(question: string): string[] {
  const asked = question.replaceAll(`@${ASSISTANT}`, ' ').trim()
  const topic = topicOf(asked)
  const words = [...new Set(wordsOf(topic ?? asked))]
  const meant = topic === undefined ? withoutAsking(words, asked.includes(CHANNEL)) : words
  return meant.sort((a, b) => b.length - a.length).slice(0, MAX_WORDS)
}

const wordsOf = (text: string) =>
  text.split(/\s+/).flatMap((piece) => {
    const word = piece.replace(/^[^\p{L}\p{N}#@]+|[^\p{L}\p{N}]+$/gu, '')
    if (WITHOUT_SPACES.test(word)) return segments(word)
    return word === '' ? [] : [word]
  })

/** The words of a question without a topic of its own, apart from those that ask. */
function withoutAsking(words: string[], isInChannel: boolean) {
  const lower = (word: string) => word.toLowerCase().replaceAll('’', "'")
  if (isInChannel && words.every((word) => PARTICLE.test(word) || GENERAL.has(lower(word)))) return []
  const asking = askingWords(words.map(lower))
  const different = words.filter((word) => !asking.has(lower(word)))
  const meant = different.length > 0 ? different : words
  const clear = meant.filter(isClear)
  const short = meant.filter((word) => !PLACING.has(lower(word)))
  return [clear, short, meant].find((some) => some.length > 0) ?? []
}

/** Whether a word is likely to be meant: it is long, an abbreviation such as 'QA', or a character such as '猫'. */
const isClear = (word: string) =>
  WITHOUT_SPACES.test(word)
    ? !/^\p{Script=Hiragana}$/u.test(word)
    : word.length >= 3 || (word.length === 2 && (/\p{N}/u.test(word) || /^\p{Lu}+$/u.test(word)))

/** Prepositions before a channel's name. */
const PLACING = new Set(['in', 'im', 'on', 'at', 'en', 'à', 'zu', 'في'])

/** Japanese particles and endings. */
const PARTICLE = /^\p{Script=Hiragana}{1,2}$/u

/** Words that ask for whatever is new, in the languages of the interface. */
const GENERAL = new Set(
  `what what's whats happened happens happening is was were are there did i we miss missed in on at new news latest recent
  recently going up today this week the messages channel anything any
  was ist war gibt gibt's gab es neues passiert geschehen los habe ich verpasst im heute diese woche nachrichten kanal
  que qu'est-ce s'est-il qu'ai-je manqué quoi s'est est il se passe passé dans de neuf nouveau quelles sont les
  nouvelles y a-t-il aujourd'hui canal
  qué me he perdido ha pasado pasó pasa hay nuevo novedades en el hoy esta semana mensajes
  何 最近 今日 今週 話 新しい 起 起き 起こっ 見逃し ありま ありました あった
  ماذا فاتني ما حدث يحدث الذي هو الجديد جديد في اليوم هذا الأسبوع قناة`.split(/\s+/),
)

interface Suggestion {
  pattern: RegExp
  /** Its words, apart from the topic. */
  words: Set<string>
}

let kept: Suggestion[] | undefined
/** The suggested questions, 'Find messages about … in …', in every language. */
function suggestions(): Suggestion[] {
  kept ??= mailLanguages.flatMap((code) => {
    const texts = mailTexts(code)
    return [
      suggestion((topic, channel) => texts.t('assistant.example.aboutIn', { topic, channel })),
      suggestion((topic) => texts.t('assistant.example.about', { topic })),
    ]
  })
  return kept
}

/** Longer questions are not compared with the suggested ones, because that takes quadratic time. */
const MAX_SUGGESTED_CHARACTERS = 500
const TOPIC = '\ufffd'

function suggestion(write: (topic: string, channel: string) => string): Suggestion {
  const text = write(TOPIC, CHANNEL)
  const pattern = text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/(.)\s+(?=(.))/gu, (_, before: string, after: string) =>
      WITHOUT_SPACES.test(before + after) ? `${before}\\s*` : `${before}\\s+`,
    )
    .replace(TOPIC, '(?<topic>.+?)')
    .replace(CHANNEL, `(?:${CHANNEL}|#\\S+)`)
  return {
    pattern: new RegExp(`^${pattern}[\\s.?!？。]*$`, 'isu'),
    words: new Set(wordsOf(text).map((word) => word.toLowerCase())),
  }
}

/** What a suggested question has in the topic's place; undefined for any other question. */
function topicOf(asked: string): string | undefined {
  if (asked.length > MAX_SUGGESTED_CHARACTERS) return undefined
  for (const { pattern } of suggestions()) {
    const topic = pattern.exec(asked)?.groups?.['topic']
    if (topic !== undefined) return topic
  }
  return undefined
}

/** The words of the suggested question that a question resembles: at least two, so that one may be the topic. */
function askingWords(words: string[]): ReadonlySet<string> {
  const counted = suggestions().map((each) => ({ ...each, count: words.filter((word) => each.words.has(word)).length }))
  const best = counted.reduce((a, b) => (b.count > a.count ? b : a))
  return best.count >= 2 ? best.words : new Set()
}
