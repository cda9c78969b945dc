import { sql } from 'kysely'
import type { Group } from '#contract/groups'
import type { Db } from '../db/database.ts'
import { isManaged } from './groups.ts'

interface Count {
  id: string
  username: string
  name: string
  peopleCount: number
}

interface Row {
  id: string
  username: string
  name: string
  /** The groups directly in it, and the numbers of its active people, both comma-separated. */
  parts: string
  people: string
}

/**
 * Lists all groups by username, as seen by a user. People are counted once per change of groups or people, for all readers:
 * with hundreds of nested groups it takes a moment.
 */
export function createGroupList(db: Db) {
  let counted: { version: string; groups: Promise<Count[]> } | undefined

  async function countOnce(): Promise<Count[]> {
    const { epoch, peopleVersion, groupsVersion } = await db
      .selectFrom('workspace')
      .select(['epoch', 'peopleVersion', 'groupsVersion'])
      .executeTakeFirstOrThrow()
    const version = `${epoch} ${peopleVersion} ${groupsVersion}`
    if (counted?.version !== version) {
      const groups = countPeople(db)
      counted = { version, groups }
      groups.catch(() => {
        if (counted?.groups === groups) counted = undefined
      })
    }
    return counted.groups
  }

  return async (me: string): Promise<Group[]> => {
    const [groups, mine, managed] = await Promise.all([countOnce(), readMine(db, me), readManaged(db)])
    return groups.map((group) => ({ ...group, isMine: mine.has(group.id), isManaged: managed.has(group.id) }))
  }
}

async function readManaged(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('provided_groups')
    .innerJoin('groups', 'groups.id', 'groupId')
    .select('groups.id')
    .where(isManaged)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The groups that somebody is in, directly or indirectly. */
async function readMine(db: Db, me: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with recursive mine(id) as (
      select "groupId" from group_people where "userId" = ${me}
      union
      select p."groupId" from mine join group_parts p on p."partId" = mine.id
    )
    select id from mine`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function countPeople(db: Db): Promise<Count[]> {
  // Numbers instead of ids, because there may be a quarter of a million memberships.
  const { rows } = await sql<Row>`
    with active as materialized (select id, row_number() over () - 1 as n from users where "deactivatedAt" is null)
    select id, username, name,
      coalesce((select string_agg("partId"::text, ',') from group_parts where "groupId" = groups.id), '') as parts,
      coalesce(people.numbers, '') as people
    from groups left join (
      select "groupId", string_agg(n::text, ',') as numbers from group_people join active on active.id = "userId"
      group by "groupId"
    ) people on people."groupId" = groups.id
    order by username`.execute(db)
  const peopleOf = collect(rows)
  return rows.map(({ id, username, name }) => ({ id, username, name, peopleCount: countBits(peopleOf(id)) }))
}

const listOf = (text: string) => (text === '' ? [] : text.split(','))

/** The people of each group, including nested groups, as a bit set. */
function collect(rows: readonly Row[]) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const numbers = new Map(rows.map(({ id, people }) => [id, listOf(people).map(Number)]))
  let size = 0
  for (const each of numbers.values()) for (const n of each) size = Math.max(size, n + 1)
  const done = new Map<string, Uint32Array>()

  return function peopleOf(id: string): Uint32Array {
    const known = done.get(id)
    if (known) return known
    const bits = new Uint32Array(Math.ceil(size / 32))
    // Set it first, so that even a cycle would terminate.
    done.set(id, bits)
    for (const n of numbers.get(id) ?? []) bits[n >>> 5] = (bits[n >>> 5] as number) | (1 << (n & 31))
    for (const part of listOf(byId.get(id)?.parts ?? ''))
      for (const [i, word] of peopleOf(part).entries()) bits[i] = (bits[i] as number) | word
    return bits
  }
}

function countBits(bits: Uint32Array): number {
  let count = 0
  for (let word of bits) for (; word !== 0; word &= word - 1) count++
  return count
}
