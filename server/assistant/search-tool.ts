import { fold } from '#contract/fold'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { findMessages, type MessageHit } from '../search/find-messages.ts'
import { parseSearch } from '../search/parse-search.ts'
import type { Services } from '../services.ts'

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

/**
 * The newest messages that match `typed`, among those that the asker and every reader of the answer may read.
 * @param within.channels only in these, unless `typed` names others
 * @param within.wholeWords words of `typed` that don't match inside others
 */
export async function searchAs(
  { searchDatabases }: Pick<Services, 'searchDatabases'>,
  scope: SearchScope,
  typed: string,
  limit: number,
  { channels = null, wholeWords = [] }: { channels?: string[] | null; wholeWords?: string[] } = {},
) {
  const { askedBy, questionId, sharedWith } = scope
  const q = typed.replaceAll('\0', '').slice(0, limits.search.query).toWellFormed()
  const query = await parseSearch(searchDatabases.primary, askedBy, { q, limit: limit + 1 })
  if (!query) return []
  const hits = await findMessages(searchDatabases, {
    ...query,
    channels: query.channels ?? channels,
    sharedWith,
    wholeWords: wholeWords.map(fold),
  })
  return withoutOwn(hits, questionId).slice(0, limit)
}

/** The newest messages in the given channels, among those that the asker and every reader of the answer may read. */
export async function latestAs(
  { searchDatabases }: Pick<Services, 'searchDatabases'>,
  { askedBy, questionId, sharedWith }: SearchScope,
  channels: string[],
  limit: number,
) {
  const anything = { terms: [], authors: null, until: undefined, since: undefined, has: new Set<never>() }
  const query = { ...anything, me: askedBy, channels, sharedWith, cursor: undefined, limit }
  return withoutOwn(await findMessages(searchDatabases, query), questionId)
}

const withoutOwn = (hits: MessageHit[], questionId: string) =>
  hits.filter(({ id, userId }) => id !== questionId && userId !== ASSISTANT)
