import { type Kysely, sql, type Transaction } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { shownText } from '#contract/text'
import { writeAudit } from '../audit/write-audit.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { insertGroup, lockGroups } from '../groups/groups.ts'
import { freeUsername } from '../identity/free-username.ts'
import type { Services } from '../services.ts'
import { looksLikeAssistant } from '../text/lookalike-names.ts'
import { type Columns, readFilter } from './filter.ts'
import type { GroupInput, Member } from './group-input.ts'
import type { Page } from './list.ts'
import type { Directory } from './provided-people.ts'
import { invalidValue, noSuch, taken } from './scim-error.ts'

/** Maximum members in a page of groups: the page ends early, but contains at least one group. */
const MAX_LISTED_MEMBERS = 20_000

/** The groups that a directory has created. It doesn't see groups created by people. */
const selectGroups = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('provided_groups as provided')
    .innerJoin('groups', 'groups.id', 'provided.groupId')
    .select(['groups.id', 'groups.username', 'groups.createdAt'])
    .select(['provided.externalId', 'provided.displayName', 'provided.updatedAt'])
export type GroupRow = Awaited<ReturnType<ReturnType<typeof selectGroups>['execute']>>[number]

const memberIds = sql`select "userId" from group_people where "groupId" = groups.id`
const columns: Columns = {
  id: { value: sql`groups.id::text`, kind: 'exact' },
  externalid: { value: sql`provided."externalId"`, kind: 'exact' },
  displayname: { value: sql`provided."displayName"`, kind: 'text' },
  members: { value: memberIds, kind: 'set' },
  'members.value': { value: memberIds, kind: 'set' },
  'meta.created': { value: sql`groups."createdAt"`, kind: 'time' },
  'meta.lastmodified': { value: sql`provided."updatedAt"`, kind: 'time' },
}

/** A page of the groups that match a filter, and their total number. */
export async function findGroups(db: Kysely<DB>, filter: string | undefined, page: Page, hasMembers: boolean) {
  const condition = filter === undefined ? sql<boolean>`true` : readFilter(filter, columns)
  const found = selectGroups(db).where(condition)
  const { total } = await db
    .selectFrom(found.as('found'))
    .select((row) => row.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = page.limit === 0 ? [] : await found.orderBy('groups.id').offset(page.offset).limit(page.limit).execute()
  if (!hasMembers) return { total: Number(total), groups: rows.map((group) => ({ group, members: undefined })) }
  const groups: { group: GroupRow; members: Member[] }[] = []
  let count = 0
  for (const group of rows) {
    const members = await readMembers(db, group.id)
    count += members.length
    if (groups.length > 0 && count > MAX_LISTED_MEMBERS) break
    groups.push({ group, members })
  }
  return { total: Number(total), groups }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** @throws ScimError 404 */
export async function readGroupRow(db: Kysely<DB> | Transaction<DB>, id: string): Promise<GroupRow> {
  const found = UUID.test(id) ? await selectGroups(db).where('groups.id', '=', id).executeTakeFirst() : undefined
  if (!found) throw noSuch('Group', id)
  return found
}

export async function readMembers(db: Kysely<DB> | Transaction<DB>, groupId: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('group_people')
    .innerJoin('users', 'users.id', 'userId')
    .select(['users.id as value', 'users.name as display'])
    .where('groupId', '=', groupId)
    .orderBy('users.id')
    .execute()
  return rows.map((member) => ({ ...member, type: 'User' }))
}

/** @throws ScimError 400 for members who do not exist, 409 if another group has the directory's id */
export async function createGroup(services: Services, by: Directory, input: GroupInput): Promise<string> {
  const id = newId()
  await change(services, async (tx) => {
    const username = await freeUsername(tx as never, input.displayName.replaceAll('@', ' '), 'group')
    await insertGroup(tx, id, { username, name: nameOf(input, username) })
    await tx
      .insertInto('provided_groups')
      .values({ groupId: id, displayName: input.displayName, externalId: input.externalId ?? null })
      .execute()
    await replaceMembers(tx, id, input.members)
    await note(tx, by, username, 'created')
  })
  return id
}

/** Updates a group from the directory, except its username. @throws ScimError 400, 404, 409 */
export async function replaceGroup(
  services: Services,
  by: Directory,
  id: string,
  read: (group: GroupRow, members: () => Promise<Member[]>) => Promise<GroupInput>,
) {
  await change(services, async (tx) => {
    const before = await readGroupRow(tx, id)
    const input = await read(before, () => readMembers(tx, id))
    const name = nameOf(input, before.username)
    await tx.updateTable('groups').set({ name }).where('id', '=', id).where('name', '<>', name).execute()
    await tx
      .updateTable('provided_groups')
      .set({
        displayName: input.displayName,
        externalId: input.externalId ?? null,
        updatedAt: sql<string>`clock_timestamp()`,
      })
      .where('groupId', '=', id)
      .execute()
    await replaceMembers(tx, id, input.members)
    await note(tx, by, before.username, 'changed')
  })
}

/** @throws ScimError 404 */
export async function deleteGroup(services: Services, by: Directory, id: string) {
  await change(services, async (tx) => {
    const { username } = await readGroupRow(tx, id)
    await tx.deleteFrom('groups').where('id', '=', id).execute()
    await note(tx, by, username, 'deleted')
  })
}

async function change({ db, pollSoon }: Services, act: (tx: Transaction<DB>) => Promise<void>) {
  await db
    .transaction()
    .execute(async (tx) => {
      await lockGroups(tx)
      await act(tx)
    })
    .catch((error) => {
      const { code } = error as { code?: string }
      throw code === '23505' ? taken('Another group has this externalId.') : error
    })
  pollSoon()
}

/** Writes only differences, because every changed row is polled and published. */
async function replaceMembers(tx: Transaction<DB>, groupId: string, members: ReadonlySet<string>) {
  const ids = [...members]
  const isGiven = sql<boolean>`"userId" = any(${ids}::text[])`
  await tx
    .deleteFrom('group_people')
    .where('groupId', '=', groupId)
    .where((row) => row.not(isGiven))
    .execute()
  const known = await tx
    .selectFrom('users')
    .leftJoin('provided_people as provided', 'provided.userId', 'users.id')
    .select(['users.id', 'users.role'])
    .where(sql<boolean>`users.id = any(${ids}::text[])`)
    .where('users.id', '<>', ASSISTANT)
    .where('provided.deletedAt', 'is', null)
    .where('users.erasedAt', 'is', null)
    .execute()
  // Guests can't be in groups.
  const guest = known.find(({ role }) => role === 'guest')
  if (guest) throw invalidValue(`The person ${guest.id} is a guest here, and guests are in no group.`)
  const unknown = ids.find((id) => !known.some((person) => person.id === id))
  if (unknown !== undefined) throw invalidValue(`There is no person ${unknown.slice(0, 80)}.`)
  if (ids.length === 0) return
  await tx
    .insertInto('group_people')
    .values(ids.map((userId) => ({ groupId, userId })))
    .onConflict((row) => row.doNothing())
    .execute()
}

/** The name of a group here, which must not look like the assistant's. */
function nameOf({ displayName }: GroupInput, username: string) {
  const shown = shownText(displayName).trim().slice(0, limits.personName).toWellFormed()
  return shown && !looksLikeAssistant(shown) ? shown : username
}

const note = (tx: Transaction<DB>, { name, source }: Directory, group: string, act: string) =>
  writeAudit(tx, { kind: 'group_provided', actorId: null, details: { token: name, act, group }, ...source })
