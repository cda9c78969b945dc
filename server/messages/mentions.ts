import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { type Broadcast, type Mention, mentionedIn } from '#contract/mentions'
import { withoutQuotes } from '#contract/quotes'
import type { Db } from '../db/database.ts'
import { isQuiet } from '../people/availability.ts'
import type { Presence } from '../people/presence.ts'

/** The mentions of a text. The database function `mention_rows_2` expands them into rows for counting. */
export interface Mentions {
  mentions: Mention[]
  broadcast: Broadcast | null
  /** For `@here`: the members who were online and not in do not disturb. */
  audience: string[] | null
  /** For each mentioned group: its people who are members of the channel. */
  groups: { groupId: string; audience: string[] }[]
}

/**
 * Resolves the mentions of a text: members of the channel, groups, and the assistant anywhere. Null if there are none. Guests
 * cannot mention groups, because that would reveal which exist.
 */
export async function resolveMentions(
  { db, presence }: { db: Db; presence: Presence },
  authorId: string,
  channelId: string,
  content: string,
): Promise<Mentions | null> {
  const { names, broadcast } = mentionedIn(withoutQuotes(content))
  if (names.length === 0 && !broadcast) return null
  const members = db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .where('channelId', '=', channelId)
    .select(['users.id', 'username'])
  const isNamed = sql<boolean>`username = any(${names.flat()}::text[])`
  const named = names.length > 0 ? await members.where(isNamed).execute() : []
  const groups = names.length > 0 ? await readNamedGroups(db, authorId, channelId, names.flat()) : []
  const byName = new Map<string, Mention>([
    [ASSISTANT, { userId: ASSISTANT, username: ASSISTANT }],
    ...named.map(({ id, username }): [string, Mention] => [username, { userId: id, username }]),
    ...groups.map(({ id, username }): [string, Mention] => [username, { userId: id, username, isGroup: true }]),
  ])
  const mentions = new Map<string, Mention>()
  for (const candidates of names) {
    const mention = candidates.map((name) => byName.get(name)).find((found) => found !== undefined)
    if (mention && mentions.size < limits.mentions) mentions.set(mention.username, mention)
  }
  if (mentions.size === 0 && !broadcast) return null
  const online = members
    .where('users.id', '=', sql<string>`any(${presence.online()}::text[])`)
    .where(sql<boolean>`not ${isQuiet}`)
  const audience = broadcast === 'here' ? (await online.execute()).map(({ id }) => id) : null
  const meant = groups.filter(({ username }) => mentions.has(username))
  return {
    mentions: [...mentions.values()],
    broadcast,
    audience,
    groups: meant.map(({ id, audience }) => ({ groupId: id, audience })),
  }
}

const readNamedGroups = (db: Db, authorId: string, channelId: string, names: string[]) =>
  db
    .selectFrom('groups')
    .select(['id', 'username'])
    .select(
      sql<string[]>`array(
        select m."userId" from memberships m
        where m."channelId" = ${channelId}::uuid and m."userId" in (select people_of_group(groups.id))
      )`.as('audience'),
    )
    .where(sql<boolean>`username = any(${names}::text[])`)
    .where(sql<boolean>`exists (select from users where users.id = ${authorId} and role <> 'guest')`)
    .limit(limits.mentions)
    .execute()
