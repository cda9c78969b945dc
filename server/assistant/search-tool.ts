import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { findMessages, type MessageHit } from '../search/find-messages.ts'
import { parseSearch } from '../search/parse-search.ts'
import { isStatementTimeout } from '../search/search-database.ts'
import { snippetOf } from '../search/snippet.ts'
import type { Services } from '../services.ts'
import { fold } from '../text/fold.ts'
import { linkOf } from './sources.ts'

/** The person for whom the assistant searches, and where the answer will be read. */
export interface SearchScope {
  askedBy: string
  /** The question itself is never a result. */
  questionId: string
  channelId: string
  /**
   * A channel with other readers: only its own messages and those of public channels may appear there. Undefined in a direct
   * conversation with the assistant.
   */
  sharedWith: string | undefined
}

const MAX_LISTED = 5
const MAX_WORDS = 8
const MAX_RESULTS_PER_WORD = 30

/** The newest messages that match `typed`, among those that the asker and every reader of the answer may read. */
export async function searchAs(
  { searchDatabases }: Pick<Services, 'searchDatabases'>,
  scope: SearchScope,
  typed: string,
  limit: number,
) {
  const { askedBy, questionId, sharedWith } = scope
  const q = typed.replaceAll('\0', '').slice(0, limits.search.query).toWellFormed()
  const query = await parseSearch(searchDatabases.primary, askedBy, { q, limit: limit + 1 })
  if (!query) return []
  const hits = await findMessages(searchDatabases, { ...query, sharedWith })
  return hits.filter(({ id, userId }) => id !== questionId && userId !== ASSISTANT).slice(0, limit)
}

/** The best matches for a question, as a list of links with snippets: the answer if there is no model. */
export async function listBestMatches(services: Services, scope: SearchScope, question: string): Promise<string> {
  const words = searchWordsOf(question)
  const without = 'No language model is configured, so I only searched the messages.'
  const best = await findBest(services, scope, words).catch((error) => {
    if (isStatementTimeout(error)) return undefined
    throw error
  })
  if (!best) return `${without} That took too long. Ask with fewer or rarer words.`
  if (best.length === 0) return `${without} I found nothing that fits.`
  return `${without} These fit best:\n\n${best.map((hit) => `- ${listItem(hit, words)}`).join('\n')}`
}

/** Messages with all words first, then those with the most and rarest of them. Independent of language. */
async function findBest(services: Services, scope: SearchScope, words: string[]): Promise<MessageHit[]> {
  if (words.length === 0) return []
  const find = async (typed: string, limit: number) =>
    (await searchAs(services, scope, typed, limit)).filter((hit) => !isQuestion(scope, hit))
  const all = (await find(words.join(' '), MAX_RESULTS_PER_WORD)).slice(0, MAX_LISTED)
  if (all.length === MAX_LISTED || words.length === 1) return all
  const scores = new Map<string, { hit: MessageHit; score: number }>()
  for (const word of words) {
    const hits = await find(word, MAX_RESULTS_PER_WORD)
    for (const hit of hits) {
      const { score } = scores.get(hit.id) ?? { score: 0 }
      scores.set(hit.id, { hit, score: score + 1 / hits.length })
    }
  }
  const ranked = [...scores.values()].sort((a, b) => b.score - a.score || (a.hit.id < b.hit.id ? 1 : -1))
  const least = (ranked[0]?.score ?? 0) / 2
  const rest = ranked.filter(({ score, hit }) => score >= least && !all.some(({ id }) => id === hit.id))
  return [...all, ...rest.map(({ hit }) => hit)].slice(0, MAX_LISTED)
}

/** Whether a message is itself a question to the assistant. */
const isQuestion = ({ channelId, sharedWith }: SearchScope, hit: MessageHit) =>
  hit.content.includes(`@${ASSISTANT}`) || (sharedWith === undefined && hit.channelId === channelId)

/** The longest words of a question, without the mention of the assistant. */
export function searchWordsOf(question: string): string[] {
  const text = question.replaceAll(`@${ASSISTANT}`, ' ')
  const words = text.split(/\s+/).flatMap((piece) => {
    const word = piece.replace(/^[^\p{L}\p{N}#@]+|[^\p{L}\p{N}]+$/gu, '')
    return WITHOUT_SPACES.test(word) ? segments(word) : [word]
  })
  const different = [...new Set(words.filter((word) => word.length >= 3 || WITHOUT_SPACES.test(word)))]
  return different.sort((a, b) => b.length - a.length).slice(0, MAX_WORDS)
}

/** Scripts that don't separate words by spaces. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const segments = (text: string) =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)

function listItem(hit: MessageHit, words: string[]): string {
  const location = `${hit.isDirect ? '@' : '#'}${hit.channelName ?? ''}`
  const { content } = snippetOf(hit.content, words.map(fold))
  const label = `${hit.username} in ${location}, ${hit.timestamp.slice(0, 10)}`
  return `[${escapeMarkdown(label)}](${linkOf(hit)}): ${escapeMarkdown(content) || '(a file)'}`
}

/** Escapes text so that Markdown renders it literally. */
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_[\]<>~|#!()]/g, '\\$&').replace(/(https?):\/\//gi, '$1\\://')
