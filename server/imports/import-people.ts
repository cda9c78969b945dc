import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import { freeUsername } from '../identity/free-username.ts'
import { namedUser } from '../people/looks.ts'
import { lookOfUsername, looksLikeAssistant } from '../text/lookalike-names.ts'
import { choiceOf, holdImport, type ImportJob, itemsOf } from './import-rows.ts'
import type { PersonRecord } from './records.ts'
import { storable } from './render-content.ts'
import { tidyName } from './tidy-name.ts'

export interface KnownPerson {
  id: string
  username: string
  /** Whether the person can own something, being neither a program nor deactivated. */
  isActive: boolean
}

/** The maximum length of an address; longer ones don't fit into an index. */
const EMAIL_CHARACTERS = 254

/** The address as stored in accounts, in lower case; null if mail cannot reach it. */
export function emailOf({ email }: Pick<PersonRecord, 'email'>): string | null {
  const plain = storable(email ?? '')
    .trim()
    .toLowerCase()
  return plain !== '' && plain.length <= EMAIL_CHARACTERS ? plain : null
}

/** A valid display name: nobody may be called like the assistant. */
function nameOf({ name }: PersonRecord, username: string) {
  const shown = tidyName(name, limits.personName)
  return shown && !looksLikeAssistant(shown) ? shown : username
}

/**
 * The account of a person in the archive: one that was imported before, that the owner chose, or with the same verified address;
 * otherwise a new one, which nobody can sign in to until it is claimed.
 */
export async function importPerson(db: Db, job: ImportJob, source: string, person: PersonRecord): Promise<KnownPerson> {
  // The assistant has the same id in every workspace, and owns nothing.
  const assistant = source === 'parley' && person.key === ASSISTANT && (await userBy(db, 'id', ASSISTANT))
  if (assistant) return { ...assistant, isActive: false }
  const known = (await itemsOf(db, source, 'person', [person.key])).get(person.key)
  const existing = (known && (await userBy(db, 'id', known))) || undefined
  if (existing) return takeOver(db, job, source, { person, existing })
  const chosen = choiceOf(job.choices.people, person.key)
  const email = emailOf(person)
  const match =
    (chosen && (await userBy(db, 'id', chosen))) || (email && !person.isBot && (await userBy(db, 'email', email)))
  const username = match ? match.username : await freeUsername(db, person.username || person.name)
  return db.transaction().execute(async (tx) => {
    await holdImport(tx, job)
    await sql`select set_config('parley.importing', 'on', true)`.execute(tx)
    const id = match ? match.id : newId()
    const isActive = match ? match.isActive : !person.isBot && !person.isDeactivated
    if (!match) {
      const isTaken = email && (await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())
      await tx
        .insertInto('users')
        .values({
          id,
          username,
          displayUsername: username,
          usernameLook: lookOfUsername(username),
          ...(await namedUser(tx, nameOf(person, username))),
          // Unverified, so that it can only be claimed by a link or through the hosted provider.
          email: email && !person.isBot && !isTaken ? email : placeholderFor(id),
          emailVerified: false,
          isWelcomed: false,
          deactivatedAt: isActive ? null : sql<string>`clock_timestamp()`,
        })
        .execute()
      await tx.insertInto('imported_people').values({ userId: id, importId: job.id, isBot: person.isBot }).execute()
    }
    await tx
      .insertInto('import_items')
      .values({ source, kind: 'person', key: person.key, id, importId: job.id, isNew: !match })
      .onConflict((it) => it.columns(['source', 'kind', 'key']).doUpdateSet({ id, importId: job.id, isNew: !match }))
      .execute()
    return { id, username, isActive }
  })
}

/**
 * Takes over a person left behind by an undone import because they had written, or been invited, elsewhere: they belong to this
 * import now, and can be claimed.
 */
async function takeOver(
  db: Db,
  job: ImportJob,
  source: string,
  { person, existing }: { person: PersonRecord; existing: KnownPerson },
): Promise<KnownPerson> {
  if (existing.isActive || person.isBot || person.isDeactivated) return existing
  return db.transaction().execute(async (tx) => {
    await holdImport(tx, job)
    const { numUpdatedRows } = await tx
      .updateTable('imported_people')
      .set({ importId: job.id })
      .where('userId', '=', existing.id)
      .where('claimedAt', 'is', null)
      .where('importId', 'in', ({ selectFrom }) => selectFrom('imports').select('id').where('state', '=', 'undone'))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return existing
    await tx.updateTable('users').set({ deactivatedAt: null }).where('id', '=', existing.id).execute()
    await tx
      .updateTable('import_items')
      .set({ importId: job.id })
      .where('source', '=', source)
      .where('kind', '=', 'person')
      .where('key', '=', person.key)
      .execute()
    return { ...existing, isActive: true }
  })
}

/** An address that cannot receive mail. */
const placeholderFor = (userId: string) => `${userId}@imported.invalid`
export const isPlaceholder = (email: string) => email.endsWith('@imported.invalid')

async function userBy(db: Db, column: 'id' | 'email', value: string): Promise<KnownPerson | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'deactivatedAt'])
    .where(column, '=', value)
    .$if(column === 'email', (row) => row.where('emailVerified', '=', true))
    .executeTakeFirst()
  return user && { id: user.id, username: user.username, isActive: user.deactivatedAt === null }
}
