import { type Kysely, sql, type Transaction } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { shownText } from '#contract/text'
import { type AuditSource, writeAudit } from '../audit/write-audit.ts'
import { transferOwnership } from '../channels/ownership.ts'
import { admitToWorkspace } from '../channels/workspace.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { freeUsername } from '../identity/free-username.ts'
import { bumpPeopleVersion, deactivate, hasEnded } from '../people/deactivate.ts'
import { namedUser } from '../people/looks.ts'
import type { Services } from '../services.ts'
import { lookOfUsername, looksLikeAssistant } from '../text/lookalike-names.ts'
import { type Column, type Columns, readFilter } from './filter.ts'
import type { Page } from './list.ts'
import { noSuch, ScimError, taken } from './scim-error.ts'
import type { UserInput } from './user-input.ts'

/** The directory that makes a change, identified by its token. */
export interface Directory {
  /** The token's name, for the audit log. */
  name: string
  source: AuditSource
}

/** The people visible to the directory: all except the assistant, those it has deleted, and erased accounts. */
const selectPeople = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('users')
    .leftJoin('provided_people as provided', 'provided.userId', 'users.id')
    .where('users.id', '<>', ASSISTANT)
    .where('provided.deletedAt', 'is', null)
    .where('users.erasedAt', 'is', null)
    // Imported accounts that were never claimed may have no address.
    .where('users.email', 'not like', '%@imported.invalid')

/** People that the directory has never written have their address as user name. */
const userName = sql<string>`coalesce(provided."userName", users.email)`

const withAttributes = (db: Kysely<DB> | Transaction<DB>) =>
  selectPeople(db).select([
    'users.id',
    'users.name',
    'users.email',
    'users.role',
    'users.deactivatedAt',
    'users.createdAt',
    'provided.externalId',
    'provided.givenName',
    'provided.familyName',
    userName.as('userName'),
    sql<string>`greatest(users."updatedAt", provided."updatedAt")`.as('updatedAt'),
  ])
export type PersonRow = Awaited<ReturnType<ReturnType<typeof withAttributes>['execute']>>[number]

const text = (value: Column['value']): Column => ({ value, kind: 'text' })
const columns: Columns = {
  id: { value: sql`users.id`, kind: 'exact' },
  externalid: { value: sql`provided."externalId"`, kind: 'exact' },
  username: text(userName),
  displayname: text(sql`users.name`),
  'name.formatted': text(sql`users.name`),
  'name.givenname': text(sql`provided."givenName"`),
  'name.familyname': text(sql`provided."familyName"`),
  emails: text(sql`users.email`),
  'emails.value': text(sql`users.email`),
  'emails.type': text(sql`'work'::text`),
  'emails.primary': { value: sql`true`, kind: 'boolean' },
  active: { value: sql`users."deactivatedAt" is null`, kind: 'boolean' },
  'meta.created': { value: sql`users."createdAt"`, kind: 'time' },
  'meta.lastmodified': { value: sql`greatest(users."updatedAt", provided."updatedAt")`, kind: 'time' },
}

/** A page of the people who match a filter, and their total number. */
export async function findPeople(db: Kysely<DB>, filter: string | undefined, { offset, limit }: Page) {
  const condition = filter === undefined ? sql<boolean>`true` : readFilter(filter, columns)
  const { total } = await selectPeople(db)
    .where(condition)
    .select((row) => row.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  const people =
    limit === 0
      ? []
      : await withAttributes(db).where(condition).orderBy('users.id').offset(offset).limit(limit).execute()
  return { total: Number(total), people }
}

/** @throws ScimError 404 */
export async function readPersonRow(db: Kysely<DB> | Transaction<DB>, id: string): Promise<PersonRow> {
  const found = id.includes('\0') ? undefined : await withAttributes(db).where('users.id', '=', id).executeTakeFirst()
  if (!found) throw noSuch('User', id)
  return found
}

/** @throws ScimError 409 if somebody has the name or the address */
export async function createPerson(services: Services, by: Directory, input: UserInput): Promise<PersonRow> {
  const { db } = services
  const id = await db
    .transaction()
    .execute(async (tx) => {
      await bumpPeopleVersion(tx)
      const known = await findDeleted(tx, input)
      await requireFree(tx, input, known)
      const id = known ?? newId()
      if (!known) {
        const username = await freeUsername(tx as never, input.userName)
        await tx
          .insertInto('users')
          .values({
            id,
            username,
            displayUsername: username,
            usernameLook: lookOfUsername(username),
            ...(await namedUser(tx, nameOf(input, username))),
            email: input.email,
            // Only the hosted provider can verify it.
            emailVerified: false,
            isWelcomed: false,
          })
          .execute()
      }
      await storeInput(tx, id, input)
      await apply(tx, await readPersonRow(tx, id), input)
      await note(tx, by, id, known ? 'restored' : 'created')
      return id
    })
    .catch(refuseTaken)
  if (input.active) await admitToWorkspace(services, id)
  services.pollSoon()
  return readPersonRow(db, id)
}

/** Updates a person from the directory. @throws ScimError 403 for the owner and admins' addresses, 404, 409 */
export async function replacePerson(
  services: Services,
  by: Directory,
  id: string,
  read: (person: PersonRow) => UserInput,
): Promise<PersonRow> {
  const { db } = services
  const { before, input } = await db
    .transaction()
    .execute(async (tx) => {
      await bumpPeopleVersion(tx)
      const before = await readPersonRow(tx, id)
      const input = read(before)
      requireAllowed(before, input)
      await requireFree(tx, input, id)
      await storeInput(tx, id, input)
      await apply(tx, before, input)
      await note(tx, by, id, 'changed')
      return { before, input }
    })
    .catch(refuseTaken)
  if (input.active && before.deactivatedAt) await admitToWorkspace(services, id)
  services.pollSoon()
  if (!input.active && !before.deactivatedAt) await transferOwnership(services, id)
  return readPersonRow(db, id)
}

/** Deactivates a person whom the directory deletes; their messages stay. @throws ScimError 403 for the owner, 404 */
export async function deletePerson(services: Services, by: Directory, id: string) {
  await services.db.transaction().execute(async (tx) => {
    await bumpPeopleVersion(tx)
    const person = await readPersonRow(tx, id)
    if (person.role === 'owner') throw ownerStays()
    await deactivate(tx, id)
    const deletedAt = sql<string>`clock_timestamp()`
    const formerExternalId = person.externalId
    await tx
      .insertInto('provided_people')
      .values({ userId: id, userName: person.userName, deletedAt, formerExternalId })
      .onConflict((row) => row.column('userId').doUpdateSet({ deletedAt, formerExternalId, externalId: null }))
      .execute()
    await tx
      .deleteFrom('group_people')
      .where('userId', '=', id)
      .where('groupId', 'in', (provided) => provided.selectFrom('provided_groups').select('groupId'))
      .execute()
    await note(tx, by, id, 'deleted')
  })
  services.pollSoon()
  await transferOwnership(services, id)
}

const ownerStays = () => new ScimError(403, 'The owner of the workspace is changed by nobody else.', 'mutability')

/** Prevents privilege escalation by the token: whoever has the address at the provider can sign in as that person. */
function requireAllowed(before: PersonRow, input: UserInput) {
  const isSame = input.active && input.email === before.email && shownText(input.displayName).trim() === before.name
  if (before.role === 'owner' && !isSame) throw ownerStays()
  if (before.role === 'admin' && input.email !== before.email)
    throw new ScimError(403, 'The address of an admin is changed by themselves.', 'mutability')
}

/**
 * Finds the deleted person that the directory creates again. With another id there, it is another person: they get the user
 * name and address of the deleted ones (RFC 7644, 3.6), but not their conversations.
 */
async function findDeleted(tx: Transaction<DB>, input: UserInput) {
  const deleted = await tx
    .selectFrom('provided_people')
    .innerJoin('users', 'users.id', 'provided_people.userId')
    .select(['users.id', 'users.email', 'role', 'userName', 'formerExternalId'])
    .where('deletedAt', 'is not', null)
    .where((row) =>
      row.or([sql<boolean>`lower("userName") = ${input.userName.toLowerCase()}`, row('users.email', '=', input.email)]),
    )
    .execute()
  const isSame = ({ email, role, userName, formerExternalId }: (typeof deleted)[number]) =>
    role !== 'admin' &&
    email === input.email &&
    userName.toLowerCase() === input.userName.toLowerCase() &&
    (formerExternalId === null || formerExternalId === input.externalId)
  const same = deleted.find(isSame)
  for (const { id } of deleted) if (id !== same?.id) await release(tx, id)
  return same?.id
}

/** Releases the user name, address and linked accounts of somebody whom the directory has deleted. */
async function release(tx: Transaction<DB>, userId: string) {
  await tx.deleteFrom('accounts').where('userId', '=', userId).execute()
  await tx
    .updateTable('users')
    .set({ email: `${userId}@deleted.invalid`, emailVerified: false })
    .where('id', '=', userId)
    .execute()
  await tx
    .updateTable('provided_people')
    .set({ userName: `${userId}@deleted.invalid` })
    .where('userId', '=', userId)
    .execute()
}

async function requireFree(tx: Transaction<DB>, input: UserInput, own: string | undefined) {
  const other = await tx
    .selectFrom('users')
    .leftJoin('provided_people as provided', 'provided.userId', 'users.id')
    .select(['users.email', 'provided.externalId'])
    .where('users.id', '<>', own ?? '')
    .where((row) =>
      row.or([
        row('users.email', '=', input.email),
        sql<boolean>`lower(${userName}) = ${input.userName.toLowerCase()}`,
        ...(input.externalId === undefined ? [] : [row('provided.externalId', '=', input.externalId)]),
      ]),
    )
    .executeTakeFirst()
  if (other) throw taken('Somebody else has this userName, externalId or address.')
}

async function storeInput(tx: Transaction<DB>, userId: string, input: UserInput) {
  const { externalId = null, givenName = null, familyName = null } = input
  const values = { userName: input.userName, externalId, givenName, familyName }
  await tx
    .insertInto('provided_people')
    .values({ userId, ...values })
    .onConflict((row) =>
      row.column('userId').doUpdateSet({ ...values, deletedAt: null, updatedAt: sql<string>`clock_timestamp()` }),
    )
    .execute()
}

async function apply(tx: Transaction<DB>, before: PersonRow, input: UserInput) {
  const { id } = before
  const { username } = await tx.selectFrom('users').select('username').where('id', '=', id).executeTakeFirstOrThrow()
  const person = tx.updateTable('users').where('id', '=', id)
  const name = nameOf(input, username)
  if (name !== before.name) await person.set(await namedUser(tx, name, id)).execute()
  // A new address is not verified yet.
  if (input.email !== before.email) await person.set({ email: input.email, emailVerified: false }).execute()
  if (!input.active) await deactivate(tx, id)
  else if (before.deactivatedAt) {
    if (await hasEnded(tx, id))
      throw new ScimError(403, 'The time of this guest has ended; an admin of the workspace extends it.', 'mutability')
    await person.set({ deactivatedAt: null, ...(await namedUser(tx, name, id)) }).execute()
  }
}

/** The name of a person here, which must not look like the assistant's. */
function nameOf({ displayName }: UserInput, username: string) {
  const shown = shownText(displayName).trim().slice(0, limits.personName).toWellFormed()
  return shown && !looksLikeAssistant(shown) ? shown : username
}

const note = (tx: Transaction<DB>, { name, source }: Directory, personId: string, act: string) =>
  writeAudit(tx, { kind: 'person_provided', actorId: null, personId, details: { token: name, act }, ...source })

function refuseTaken(error: unknown): never {
  const { code } = error as { code?: string }
  throw code === '23505' ? taken('Somebody else has this userName, externalId or address.') : error
}
