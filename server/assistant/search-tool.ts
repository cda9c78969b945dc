import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { findMessages, type MessageHit } from '../search/find-messages.ts'
import { parseSearch } from '../search/parse-search.ts'
import { isStatementTimeout } from '../search/search-database.ts'
import { snippetOf } from '../search/snippet.ts'
import type { Services } from '../services.ts'
import { fold } from '../text/fold.ts'
import { linkOf } from './sources.ts'

/** For whom the assistant searches, and who reads what it makes of it. */
export interface SearchScope {
  askedBy: string
  /** The question, which is no answer to itself. */
  questionId: string
  channelId: string
  /**
   * A channel that others read too: only what lies in it, or in public channels, may be shown there. Undefined where the
   * asker is alone with the assistant.
   */
  place: string | undefined
}

/** Messages in one list, and words of a question that are looked for one by one. */
const LISTED = 5
const WORDS = 8
const PER_WORD = 30

/** The newest messages that hold all of `typed`, among those which the asker, and all who read the place, may read now. */
export async function searchAs(
  { searchDb }: Pick<Services, 'searchDb'>,
  scope: SearchScope,
  typed: string,
  limit: number,
) {
  const { askedBy, questionId, place } = scope
  const q = typed.replaceAll('\0', '').slice(0, limits.search.query).toWellFormed()
  const wanted = await parseSearch(searchDb, askedBy, { q, limit: limit + 1 })
  if (!wanted) return []
  const hits = await findMessages(searchDb, { ...wanted, place })
  return hits.filter(({ id, userId }) => id !== questionId && userId !== ASSISTANT).slice(0, limit)
}

/** The messages that fit a question best, as links with a piece of each: what can be said without a model. */
export async function listBestMatches(services: Services, scope: SearchScope, question: string): Promise<string> {
  const words = searchWordsOf(question)
  const without = 'No model is configured here, so I only looked for messages.'
  const best = await findBest(services, scope, words).catch((error) => {
    if (isStatementTimeout(error)) return undefined
    throw error
  })
  if (!best) return `${without} That took too long; ask with fewer or rarer words.`
  if (best.length === 0) return `${without} I found none that fits.`
  return `${without} These fit best:\n\n${best.map((hit) => `- ${lineOf(hit, words)}`).join('\n')}`
}

/** Those that hold all words; else those that hold the most, and the rarest, of them. In no language in particular. */
async function findBest(services: Services, scope: SearchScope, words: string[]): Promise<MessageHit[]> {
  if (words.length === 0) return []
  const find = async (typed: string, limit: number) =>
    (await searchAs(services, scope, typed, limit)).filter((hit) => !isQuestion(scope, hit))
  const all = (await find(words.join(' '), PER_WORD)).slice(0, LISTED)
  if (all.length === LISTED || words.length === 1) return all
  const scores = new Map<string, { hit: MessageHit; score: number }>()
  for (const word of words) {
    const hits = await find(word, PER_WORD)
    for (const hit of hits) {
      const { score } = scores.get(hit.id) ?? { score: 0 }
      scores.set(hit.id, { hit, score: score + 1 / hits.length })
    }
  }
  const ranked = [...scores.values()].sort((a, b) => b.score - a.score || (a.hit.id < b.hit.id ? 1 : -1))
  const least = (ranked[0]?.score ?? 0) / 2
  const rest = ranked.filter(({ score, hit }) => score >= least && !all.some(({ id }) => id === hit.id))
  return [...all, ...rest.map(({ hit }) => hit)].slice(0, LISTED)
}

/** Whether a message only asked the assistant too. */
const isQuestion = ({ channelId, place }: SearchScope, hit: MessageHit) =>
  hit.content.includes(`@${ASSISTANT}`) || (place === undefined && hit.channelId === channelId)

/** What a question may be about: its longest words, without the sign that called the assistant. */
export function searchWordsOf(question: string): string[] {
  const said = question.replaceAll(`@${ASSISTANT}`, ' ')
  const words = said.split(/\s+/).flatMap((piece) => {
    const word = piece.replace(/^[^\p{L}\p{N}#@]+|[^\p{L}\p{N}]+$/gu, '')
    return WITHOUT_SPACES.test(word) ? segments(word) : [word]
  })
  const different = [...new Set(words.filter((word) => word.length >= 3 || WITHOUT_SPACES.test(word)))]
  return different.sort((a, b) => b.length - a.length).slice(0, WORDS)
}

/** Scripts that put no space between words. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const segments = (text: string) =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)

function lineOf(hit: MessageHit, words: string[]): string {
  const place = `${hit.isDirect ? '@' : '#'}${hit.place ?? ''}`
  const { content } = snippetOf(hit.content.replace(/\s+/g, ' '), words.map(fold))
  const label = `${hit.username} in ${place}, ${hit.timestamp.slice(0, 10)}`
  return `[${asText(label)}](${linkOf(hit)}): ${asText(content) || '(a file)'}`
}

/** What somebody wrote, as it stands: in markdown every sign of it means itself. */
const asText = (text: string) => text.replace(/[\\`*_[\]<>~|#!()]/g, '\\$&').replace(/(https?):\/\//gi, '$1\\://')
