import { type Kysely, sql, type Transaction } from 'kysely'
import { problem } from '#contract/errors'
import type { Group } from '#contract/groups'
import { limits } from '#contract/limits'
import type { DB } from '../db/schema.ts'
import { invalid, invalidField, notFound, refusedHere, usernameTaken } from '../errors.ts'
import { hasDirectory } from '../people/directory.ts'
import { requireDistinct } from '../people/looks.ts'
import { lookOfUsername, looksLikeAssistant } from '../text/lookalike-names.ts'

/** New values for a group. Omitted ones stay unchanged. */
interface GroupChange {
  username?: string | undefined
  name?: string | undefined
  userIds?: readonly string[] | undefined
  groupIds?: readonly string[] | undefined
}

/** Whether a directory manages a group, so that people can't change it. They can once no directory has a token. */
export const isManaged = sql<boolean>`(
  exists (select from provided_groups where "groupId" = groups.id)
  and ${hasDirectory}
)`

/** A group as a user sees it. */
export const selectGroup = (db: Kysely<DB> | Transaction<DB>, me: string, id: string) =>
  db
    .selectFrom('groups')
    .select([
      'groups.id',
      'groups.username',
      'groups.name',
      sql<number>`(
        select count(*)::integer from users where "deactivatedAt" is null and id in (select people_of_group(groups.id))
      )`.as('peopleCount'),
      sql<boolean>`${me} in (select people_of_group(groups.id))`.as('isMine'),
      isManaged.as('isManaged'),
    ])
    .where('groups.id', '=', id)

/** Call first in a transaction that changes groups: serializes these, so that two of them can't build a cycle together. */
export async function lockGroups(tx: Transaction<DB>) {
  await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
}

/** @throws AppError 400 if the workspace has the maximum number of groups */
export async function insertGroup(
  tx: Transaction<DB>,
  id: string,
  { username, name }: Pick<Group, 'username' | 'name'>,
) {
  requireName(name)
  const { all } = limits.group
  const { count } = await tx
    .selectFrom('groups')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= all) throw invalid(problem('errors.tooManyGroups', { max: all }))
  await requireDistinct(tx, username)
  await tx
    .insertInto('groups')
    .values({ id, username, usernameLook: lookOfUsername(username), name })
    .execute()
}

/**
 * Changes a group, in a transaction that called `lockGroups`. Deactivated people may be in it.
 * @throws AppError 400 for unknown people and groups, and if groups would form a cycle or nest too deep; 404
 */
export async function changeGroup(tx: Transaction<DB>, id: string, change: GroupChange) {
  const { username, name, userIds, groupIds } = change
  if (name !== undefined) requireName(name)
  const found = await tx.selectFrom('groups').select('username').where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('errors.groupNotFound')
  if (username !== undefined && username !== found.username) await requireDistinct(tx, username, id)
  if (username !== undefined || name !== undefined)
    await tx
      .updateTable('groups')
      .set({
        ...(username !== undefined && { username, usernameLook: lookOfUsername(username) }),
        ...(name !== undefined && { name }),
      })
      .where('id', '=', id)
      .execute()
  if (userIds) await replacePeople(tx, id, userIds)
  if (groupIds) await replaceParts(tx, id, groupIds)
}

async function replacePeople(tx: Transaction<DB>, groupId: string, userIds: readonly string[]) {
  const ids = [...new Set(userIds)]
  const isGiven = sql<boolean>`"userId" = any(${ids}::text[])`
  await tx
    .deleteFrom('group_people')
    .where('groupId', '=', groupId)
    .where((row) => row.not(isGiven))
    .execute()
  // Guests can't be in groups.
  const known = await tx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('role', '<>', 'guest')
    .execute()
  if (known.length < ids.length) throw invalidField('userIds', 'errors.userNotFound')
  if (ids.length === 0) return
  await tx
    .insertInto('group_people')
    .values(ids.map((userId) => ({ groupId, userId })))
    .onConflict((oc) => oc.doNothing())
    .execute()
}

async function replaceParts(tx: Transaction<DB>, groupId: string, groupIds: readonly string[]) {
  const ids = [...new Set(groupIds)]
  const known = await tx.selectFrom('groups').select('id').where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  if (known.length < ids.length) throw invalidField('groupIds', 'errors.groupNotFound')
  const { rows } = await sql<{ isCycle: boolean }>`
    select coalesce(bool_or(part.id = ${groupId}::uuid), false) as "isCycle"
    from unnest(${ids}::uuid[]) given, parts_of_group(given) part
  `.execute(tx)
  if (rows[0]?.isCycle) throw invalidField('groupIds', 'errors.groupCycle')
  await tx.deleteFrom('group_parts').where('groupId', '=', groupId).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('group_parts')
    .values(ids.map((partId) => ({ groupId, partId })))
    .execute()
  // Only chains through this group can have become longer.
  const { rows: depths } = await sql<{ depth: number }>`
    with recursive whole(id, height) as (
      select ${groupId}::uuid, 0
      union
      select p."groupId", whole.height + 1 from whole join group_parts p on p."partId" = whole.id where whole.height < 10
    )
    select (select max(height) from whole) + (select max(part.depth) from parts_of_group(${groupId}::uuid) part) as depth
  `.execute(tx)
  const { depth } = limits.group
  if ((depths[0]?.depth ?? 0) >= depth) throw invalidField('groupIds', problem('errors.groupTooDeep', { max: depth }))
}

function requireName(name: string) {
  if (looksLikeAssistant(name)) throw invalidField('name', 'errors.reserved')
}

/** Refuses changes of a group that a directory manages. */
export async function requireUnmanaged(tx: Transaction<DB>, id: string) {
  const found = await tx.selectFrom('groups').select(isManaged.as('isManaged')).where('id', '=', id).executeTakeFirst()
  if (found?.isManaged) throw refusedHere('errors.groupManaged')
}

/** Converts the violated constraint of a taken username to an AppError. Throws other errors unchanged. */
export function refuseTakenName(error: unknown): never {
  const { constraint } = error as { constraint?: string }
  throw constraint === 'groups_username_key' ? usernameTaken() : error
}
