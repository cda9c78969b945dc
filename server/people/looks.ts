import { type Kysely, sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { usernameLooksTaken } from '../errors.ts'
import { lookOfName, lookOfUsername } from '../text/lookalike-names.ts'
import { bumpPeopleVersion } from './deactivate.ts'

const BATCH_SIZE = 1000

/** The columns of a user's name: with its look, and whether an active person's name looks the same. */
export async function namedUser(db: Kysely<DB> | Transaction<DB>, name: string, userId = '') {
  const nameLook = lookOfName(name)
  const namesake = await db
    .selectFrom('users')
    .select('id')
    .where('nameLook', '=', nameLook)
    .where('deactivatedAt', 'is', null)
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  return { name, nameLook, isNamesake: namesake !== undefined }
}

/** The username of another person (deactivated or not) or group that looks like this one. An equal one takes precedence. */
export async function findLookAlike(db: Kysely<DB> | Transaction<DB>, username: string, ownId = '') {
  const look = lookOfUsername(username)
  const { rows } = await sql<{ username: string }>`
    select username from (
      select username from users where "usernameLook" = ${look} and id <> ${ownId}
      union all
      select username from groups where "usernameLook" = ${look} and id::text <> ${ownId}
    ) alike
    order by username = ${username} desc limit 1
  `.execute(db)
  return rows[0]?.username
}

/** Refuses look-alikes only: the database's constraint refuses equal usernames. @throws AppError 409 */
export async function requireDistinct(db: Kysely<DB> | Transaction<DB>, username: string, ownId?: string) {
  const found = await findLookAlike(db, username, ownId)
  if (found !== undefined && found !== username) throw usernameLooksTaken()
}

/** Adds the looks of names that a node of an earlier version has written. Of namesakes, the first stays unmarked. */
export async function fillLooks(db: Db) {
  const groups = await db.selectFrom('groups').select(['id', 'username']).where('usernameLook', 'is', null).execute()
  if (groups.length > 0)
    await sql`
      update groups set "usernameLook" = given.look
      from unnest(${groups.map(({ id }) => id)}::uuid[], ${groups.map(({ username }) => lookOfUsername(username))}::text[])
        as given(id, look)
      where groups.id = given.id and "usernameLook" is null
    `.execute(db)
  while (await fillBatch(db)) {}
}

/** Returns whether there were any left. */
async function fillBatch(db: Db): Promise<boolean> {
  const without = db.selectFrom('users').select(['id', 'username', 'name']).where('usernameLook', 'is', null)
  // Oldest first, so that earlier accounts have a look when later ones are compared with them.
  const people = await without.orderBy('createdAt').orderBy('id').limit(BATCH_SIZE).execute()
  if (people.length === 0) return false
  const ids = people.map(({ id }) => id)
  const usernameLooks = people.map(({ username }) => lookOfUsername(username))
  const nameLooks = people.map(({ name }) => lookOfName(name))
  await db.transaction().execute(async (tx) => {
    await bumpPeopleVersion(tx)
    await sql`
      update users set "usernameLook" = given.username_look, "nameLook" = given.name_look
      from unnest(${ids}::text[], ${usernameLooks}::text[], ${nameLooks}::text[]) as given(id, username_look, name_look)
      where users.id = given.id and "usernameLook" is null
    `.execute(tx)
    await sql`
      update users set "isNamesake" = true
      where id = any(${ids}::text[]) and not "isNamesake" and "erasedAt" is null and exists (
        select from users other where other."nameLook" = users."nameLook" and other."deactivatedAt" is null
          and (other."createdAt", other.id) < (users."createdAt", users.id))
    `.execute(tx)
  })
  return true
}
