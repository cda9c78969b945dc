import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { wordsOf } from '#contract/keywords'
import { limits } from '#contract/limits'
import { type Broadcast, type Mention, mentionedIn } from '#contract/mentions'
import { withoutQuotes } from '#contract/quotes'
import type { Db } from '../db/database.ts'
import { isHere } from '../people/availability.ts'
import type { Keywords } from '../people/keywords.ts'
import type { Presence } from '../people/presence.ts'

/** The mentions of a text. The database function `mention_rows_2` expands them into rows for counting. */
export interface Mentions {
  mentions: Mention[]
  broadcast: Broadcast | null
  /** For `@here`: the members who were there (`isHere`). */
  audience: string[] | null
  /** For each mentioned group: its people who are members of the channel. */
  groups: { groupId: string; audience: string[] }[]
  /** The members with a keyword that the text contains. */
  byKeyword: string[]
}

/** A row that counts a mention of one person, or of everyone in a list. */
export interface Audience {
  userId: string | null
  groupId: string | null
  audience: string[] | null
  isKeyword: boolean
}

/** Rows in a list are read whenever anybody's mentions are counted; those of one person only for them. */
const MAX_ROWS_BY_KEYWORD = 50

/**
 * Resolves the mentions of a text: members of the channel, groups, the assistant anywhere, and keywords. Null if there are none. Guests
 * cannot mention groups, because that would reveal which exist.
 */
export async function resolveMentions(
  { db, keywords, presence }: { db: Db; keywords: Keywords; presence: Presence },
  authorId: string,
  channelId: string,
  content: string,
): Promise<Mentions | null> {
  const text = withoutQuotes(content)
  const { names, broadcast } = mentionedIn(text)
  const watching = keywords.peopleOf(wordsOf(content)).filter((userId) => userId !== authorId)
  if (names.length === 0 && !broadcast && watching.length === 0) return null
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
  const isWatching = sql<boolean>`users.id = any(${watching}::text[])`
  const byKeyword = watching.length > 0 ? (await members.where(isWatching).execute()).map(({ id }) => id) : []
  if (mentions.size === 0 && !broadcast && byKeyword.length === 0) return null
  const present = broadcast === 'here' ? await members.where(isHere(presence.active())).execute() : null
  const meant = groups.filter(({ username }) => mentions.has(username))
  return {
    mentions: [...mentions.values()],
    broadcast,
    audience: present?.map(({ id }) => id) ?? null,
    groups: meant.map(({ id, audience }) => ({ groupId: id, audience })),
    byKeyword,
  }
}

/** The rows that count mentions of groups, and by keywords. */
export function audiencesOf(mentions: Mentions | null | undefined): Audience[] {
  if (!mentions) return []
  const { byKeyword } = mentions
  const groups = mentions.groups.map((group) => ({ userId: null, ...group, isKeyword: false }))
  const watchers =
    byKeyword.length > MAX_ROWS_BY_KEYWORD
      ? [{ userId: null, groupId: null, audience: byKeyword, isKeyword: true }]
      : byKeyword.map((userId) => ({ userId, groupId: null, audience: null, isKeyword: true }))
  return [...groups, ...watchers]
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
