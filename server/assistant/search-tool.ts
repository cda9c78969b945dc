import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { findMessages } from '../search/find-messages.ts'
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
 * @param channels only in these, unless `typed` names others
 */
export async function searchAs(
  { searchDatabases }: Pick<Services, 'searchDatabases'>,
  scope: SearchScope,
  typed: string,
  limit: number,
  channels: string[] | null = null,
) {
  const { askedBy, questionId, sharedWith } = scope
  const q = typed.replaceAll('\0', '').slice(0, limits.search.query).toWellFormed()
  const query = await parseSearch(searchDatabases.primary, askedBy, { q, limit: limit + 1 })
  if (!query) return []
  const hits = await findMessages(searchDatabases, { ...query, channels: query.channels ?? channels, sharedWith })
  return hits.filter(({ id, userId }) => id !== questionId && userId !== ASSISTANT).slice(0, limit)
}
