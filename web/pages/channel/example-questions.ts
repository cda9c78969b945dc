import type { Channel } from '#contract/channels'
import { t } from '../../i18n/text.ts'

type Named = Pick<Channel, 'name' | 'isMember' | 'unread'>

/** Stands in a question for what its asker has to add. */
const BLANK = '…'

/** My channels, those in which I missed most first. */
const missedIn = (channels: readonly Named[]) =>
  channels
    .filter(({ isMember }) => isMember)
    .sort((a, b) => (b.unread ?? 0) - (a.unread ?? 0))
    .map(({ name }) => `#${name}`)

/** Three questions that a language model can answer, about the channels in which I missed most. */
export function examplesFor(channels: readonly Named[]) {
  const [missed, other = missed] = missedIn(channels)
  return [
    missed ? t('assistant.example.missedIn', { channel: missed }) : t('assistant.example.missed'),
    other ? t('assistant.example.decidedIn', { channel: other }) : t('assistant.example.decided'),
    t('assistant.example.unanswered'),
  ]
}

/** Questions that a search can answer. @param topic a word of recent messages */
export function searchExamples(channels: readonly Named[], topic: string | undefined) {
  const [channel] = missedIn(channels)
  return [
    ...(topic ? [t('assistant.example.about', { topic })] : []),
    ...(channel ? [t('assistant.example.aboutIn', { topic: BLANK, channel })] : []),
    t('assistant.example.about', { topic: BLANK }),
  ]
}

/** A question as it is typed: without the marks that isolate names in the other direction. */
export const writtenForm = (question: string) => question.replace(/[\u2068\u2069]/g, '')

/** A question without its blank, and where that was. */
export function filledIn(question: string) {
  const text = writtenForm(question)
  const at = text.indexOf(BLANK)
  return at < 0 ? { text, caret: text.length } : { text: text.replace(BLANK, ''), caret: at }
}

/** A capitalized word that follows another one on its line: a name or, in German, a noun. */
const NAME = /(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}]*\p{Ll}[\p{L}\p{N}]{2,}/gu

/** The word that most of these messages name; undefined if none is in two. In scripts without capitals none is found. */
export function topicOf(contents: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const content of contents)
    for (const name of new Set(content.match(NAME))) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [topic] = [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1])[0] ?? []
  return topic
}
