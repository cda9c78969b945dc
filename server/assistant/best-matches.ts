import { fold } from '#contract/fold'
import { ASSISTANT } from '#contract/ids'
import type { User } from '#contract/users'
import { type MailTexts, mailTexts } from '../mail/mail-texts.ts'
import type { MessageHit } from '../search/find-messages.ts'
import { isStatementTimeout } from '../search/search-database.ts'
import { snippetOf } from '../search/snippet.ts'
import type { Services } from '../services.ts'
import { isShort, searchWordsOf } from './asked-words.ts'
import type { Question } from './conversation.ts'
import { readNamedChannels } from './named-channels.ts'
import { latestAs, type SearchScope, searchAs } from './search-tool.ts'
import { linkOf } from './sources.ts'

const MAX_LISTED = 5
const MAX_RESULTS_PER_WORD = 30
const NAMES_SHOWN = 3
/** Invisible characters that the page puts around names in texts of the opposite direction. */
const DIRECTION_MARKS = /[\u2066-\u2069\u200e\u200f]/g

/**
 * The best matches for a question, as a list of links with snippets: the answer if there is no model. For a question that only
 * names channels, it lists their latest messages. It is in the asker's language, or that of the browser which asked.
 */
export async function listBestMatches(services: Services, question: Question): Promise<string> {
  const { language, timeZone } = await services.db
    .selectFrom('users')
    .select(['language', 'timeZone'])
    .where('id', '=', question.askedBy)
    .executeTakeFirstOrThrow()
  const texts = mailTexts(language, ...question.languages)
  const content = question.content.replace(DIRECTION_MARKS, '')
  const { channels, rest } = await readNamedChannels(services, question, content)
  const words = searchWordsOf(rest)
  const isLatest = words.length === 0 && channels.length > 0
  const finding = isLatest
    ? findLatest(services, question, channels)
    : findBest(services, question, words, channels.length > 0 ? channels : null)
  const best = await finding.catch((error) => {
    if (isStatementTimeout(error)) return undefined
    throw error
  })
  if (!best) return texts.t('assistant.answer.slow')
  if (best.length === 0) return texts.t('assistant.answer.none')
  const placeOf = await placesOf(services, question, best)
  const authorOf = await services.people.namesOf(best.map(({ userId }) => userId))
  const items = best.map((hit) => {
    const wording = { words, texts, timeZone, place: placeOf(hit), author: authorOf(hit.userId) }
    return `- ${listItem(hit, wording)}`
  })
  return `${texts.t(isLatest ? 'assistant.answer.latest' : 'assistant.answer.found')}\n\n${items.join('\n')}`
}

async function findLatest(services: Services, scope: SearchScope, channels: string[]): Promise<MessageHit[]> {
  const latest = await latestAs(services, scope, channels, MAX_RESULTS_PER_WORD)
  return latest.filter((hit) => !isQuestion(scope, hit)).slice(0, MAX_LISTED)
}

/** Messages with all words first, then those with the most and rarest of them. Independent of language. */
async function findBest(
  services: Services,
  scope: SearchScope,
  words: string[],
  channels: string[] | null,
): Promise<MessageHit[]> {
  if (words.length === 0) return []
  const find = async (typed: string, limit: number, wholeWords: string[]) =>
    (await searchAs(services, scope, typed, limit, { channels, wholeWords })).filter((hit) => !isQuestion(scope, hit))
  const all = (await find(words.join(' '), MAX_RESULTS_PER_WORD, words.filter(isShort))).slice(0, MAX_LISTED)
  if (all.length === MAX_LISTED || words.length === 1) return all
  const scores = new Map<string, { hit: MessageHit; score: number }>()
  for (const word of words) {
    const hits = await find(word, MAX_RESULTS_PER_WORD, [word].filter(isShort))
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
