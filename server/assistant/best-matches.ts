import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import type { User } from '#contract/users'
import { readableChannels } from '../access/readable-channels.ts'
import { type MailTexts, mailLanguages, mailTexts } from '../mail/mail-texts.ts'
import type { MessageHit } from '../search/find-messages.ts'
import { isStatementTimeout } from '../search/search-database.ts'
import { snippetOf } from '../search/snippet.ts'
import type { Services } from '../services.ts'
import { fold } from '../text/fold.ts'
import { type SearchScope, searchAs } from './search-tool.ts'
import { linkOf } from './sources.ts'

const MAX_LISTED = 5
const MAX_WORDS = 8
const MAX_RESULTS_PER_WORD = 30
const NAMES_SHOWN = 3

/**
 * The best matches for a question, as a list of links with snippets: the answer if there is no model. It is in the asker's
 * language, as far as that is known.
 */
export async function listBestMatches(services: Services, scope: SearchScope, question: string): Promise<string> {
  const { language, timeZone } = await services.db
    .selectFrom('users')
    .select(['language', 'timeZone'])
    .where('id', '=', scope.askedBy)
    .executeTakeFirstOrThrow()
  const texts = mailTexts(language)
  const named = await channelsNamedIn(services, scope, question)
  const words = searchWordsOf(withoutNames(question, named))
  const channels = named.length > 0 ? named.map(({ id }) => id) : null
  const best = await findBest(services, scope, words, channels).catch((error) => {
    if (isStatementTimeout(error)) return undefined
    throw error
  })
  if (!best) return texts.t('assistant.answer.slow')
  if (best.length === 0) return texts.t('assistant.answer.none')
  const placeOf = await placesOf(services, scope, best)
  const authorOf = await services.people.namesOf(best.map(({ userId }) => userId))
  const items = best.map((hit) => {
    const wording = { words, texts, timeZone, place: placeOf(hit), author: authorOf(hit.userId) }
    return `- ${listItem(hit, wording)}`
  })
  return `${texts.t('assistant.answer.found')}\n\n${items.join('\n')}`
}

interface Named {
  id: string
  name: string
}

/** The channels that a question names, such as #design, among those whose messages may appear in the answer. */
async function channelsNamedIn({ db }: Services, scope: SearchScope, question: string): Promise<Named[]> {
  if (!question.includes('#')) return []
  const { rows } = await sql<Named>`
    select c.id, lower(c.name) as name
    from channels c join (${readableChannels(scope.askedBy, null, scope.sharedWith)}) readable on readable.id = c.id
    where c.kind <> 'direct' and strpos(lower(${question}::text), '#' || lower(c.name)) > 0
    order by length(c.name) desc limit 100`.execute(db)
  let rest = question.toLowerCase()
  // The longest first: #design-team does not name #design.
  return rows.filter(({ name }) => {
    const before = rest
    rest = withoutName(rest, name)
    return rest !== before
  })
}

const withoutNames = (question: string, named: readonly Named[]) =>
  named.reduce((rest, { name }) => withoutName(rest, name), question)

const withoutName = (text: string, name: string) =>
  text.replace(new RegExp(`#${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`, 'giu'), ' ')

/** Messages with all words first, then those with the most and rarest of them. Independent of language. */
async function findBest(
  services: Services,
  scope: SearchScope,
  words: string[],
  channels: string[] | null,
): Promise<MessageHit[]> {
  if (words.length === 0) return []
  const find = async (typed: string, limit: number) =>
    (await searchAs(services, scope, typed, limit, channels)).filter((hit) => !isQuestion(scope, hit))
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

/** The longest words of a question, without the mention of the assistant and the words of the suggested questions. */
export function searchWordsOf(question: string): string[] {
  const words = wordsOf(question.replaceAll(`@${ASSISTANT}`, ' '))
  const different = [...new Set(words.filter((word) => word.length >= 3 || WITHOUT_SPACES.test(word)))]
  const meant = different.filter((word) => !suggestedWords().has(word.toLowerCase()))
  return (meant.length > 0 ? meant : different).sort((a, b) => b.length - a.length).slice(0, MAX_WORDS)
}

const wordsOf = (text: string) =>
  text.split(/\s+/).flatMap((piece) => {
    const word = piece.replace(/^[^\p{L}\p{N}#@]+|[^\p{L}\p{N}]+$/gu, '')
    return WITHOUT_SPACES.test(word) ? segments(word) : [word]
  })

let suggested: Set<string> | undefined
/** 'Find', 'messages' and 'about', in every language: the words of the suggested questions. */
function suggestedWords() {
  suggested ??= new Set(
    mailLanguages
      .flatMap((code) => wordsOf(mailTexts(code).t('assistant.example.aboutIn', { topic: ' ', channel: ' ' })))
      .map((word) => word.toLowerCase()),
  )
  return suggested
}

/** Scripts that don't separate words by spaces. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const segments = (text: string) =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)

/** Where a message is: '#design', or in a direct message the names of the other people. */
async function placesOf({ db }: Services, { askedBy }: SearchScope, hits: readonly MessageHit[]) {
  const direct = hits.filter(({ isDirect }) => isDirect).map(({ channelId }) => channelId)
  const others =
    direct.length === 0
      ? []
      : await db
          .selectFrom('memberships')
          .innerJoin('users', 'users.id', 'memberships.userId')
          .select(['memberships.channelId', 'users.name'])
          .where('memberships.channelId', 'in', direct)
          .where('users.id', '<>', askedBy)
          .orderBy('users.name')
          .execute()
  return ({ channelId, channelName, isDirect }: MessageHit) => {
    if (!isDirect) return `#${channelName ?? ''}`
    const names = others.filter((other) => other.channelId === channelId).map(({ name }) => name)
    return names.length > NAMES_SHOWN ? `${names.slice(0, NAMES_SHOWN).join(', ')}…` : names.join(', ')
  }
}

interface Wording {
  words: string[]
  texts: MailTexts
  timeZone: string | null
  place: string
  author: User
}

function listItem(hit: MessageHit, { words, texts, timeZone, place, author }: Wording): string {
  const { content } = snippetOf(hit.content, words.map(fold))
  const name = author.isNamesake ? `${author.name} (@${author.username})` : author.name
  const label = texts.t('assistant.answer.item', { name, place, day: dayOf(hit.timestamp, texts.language, timeZone) })
  return `[${escapeMarkdown(label)}](${linkOf(hit)}): ${escapeMarkdown(content) || texts.t('assistant.answer.file')}`
}

/** 'Mon, Nov 23', with the year if it is another one. */
function dayOf(timestamp: string, language: string, timeZone: string | null) {
  const zone = { timeZone: timeZone ?? 'UTC' }
  const yearOf = (at: Date) => new Intl.DateTimeFormat('en', { year: 'numeric', ...zone }).format(at)
  const at = new Date(timestamp)
  const isThisYear = yearOf(at) === yearOf(new Date())
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
    ...zone,
  }).format(at)
}

/** Escapes text so that Markdown renders it literally. */
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_[\]<>~|#!()]/g, '\\$&').replace(/(https?):\/\//gi, '$1\\://')
