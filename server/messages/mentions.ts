import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { type Broadcast, type Mention, mentionedIn } from '#contract/mentions'
import type { Db } from '../db/database.ts'
import type { Presence } from '../people/presence.ts'

/** The mentions of a text. The database function `mention_rows` expands them into rows for counting. */
export interface Mentions {
  mentions: Mention[]
  broadcast: Broadcast | null
  /** For `@here`: the members who were online. */
  audience: string[] | null
}

/** Resolves the mentions of a text: members of the channel, and the assistant anywhere. Null if there are none. */
export async function resolveMentions(
  { db, presence }: { db: Db; presence: Presence },
  channelId: string,
  content: string,
): Promise<Mentions | null> {
  const { names, broadcast } = mentionedIn(content)
  if (names.length === 0 && !broadcast) return null
  const members = db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .where('channelId', '=', channelId)
    .select(['users.id', 'username'])
  const isNamed = sql<boolean>`username = any(${names.flat()}::text[])`
  const named = names.length > 0 ? await members.where(isNamed).execute() : []
  const ids = new Map([[ASSISTANT, ASSISTANT], ...named.map(({ id, username }) => [username, id] as [string, string])])
  const mentions = new Map<string, Mention>()
  for (const candidates of names) {
    const username = candidates.find((name) => ids.has(name))
    if (username && mentions.size < limits.mentions)
      mentions.set(username, { userId: ids.get(username) as string, username })
  }
  if (mentions.size === 0 && !broadcast) return null
  const online = members.where('users.id', '=', sql<string>`any(${presence.online()}::text[])`)
  const audience = broadcast === 'here' ? (await online.execute()).map(({ id }) => id) : null
  return { mentions: [...mentions.values()], broadcast, audience }
}
