import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { limits } from '#contract/limits'
import { deactivateUser, getUser, listUsers, type Me, reactivateUser, setStatus, updateMe } from '#contract/users'
import { lockActiveUsers } from '../../channels/memberships.ts'
import { transferOwnership } from '../../channels/ownership.ts'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { forbidden, invalidField, notFound, unauthenticated, usernameTaken } from '../../errors.ts'
import { selectProfiles, withStatus } from '../../people/profiles.ts'
import { everyone } from '../../realtime.ts'
import { encoder, route } from '../../route.ts'
import { containsPattern } from '../../text/like-pattern.ts'
import { looksLikeAssistant } from '../../text/lookalike-names.ts'

/** The directory of users, and deactivation. */
export default async function users(app: FastifyInstance) {
  const { db, people, pollSoon, presence, publish } = app
  const encode = encoder(listUsers)

  route(app, listUsers, async ({ query: { query }, me, request }) => {
    const viewer = await readUser(me)
    // The presence of this node notices an emoji a little later, so all of them are compared.
    const { peopleVersion, epoch, emojis } = await db
      .selectFrom('workspace')
      .select(['peopleVersion', 'epoch'])
      .select(sql<string>`(select count(*) || '.' || sum(hashtext(id || "statusEmoji")) from users)`.as('emojis'))
      .executeTakeFirstOrThrow()
    // The response depends on the viewer: it contains their own e-mail, and everyone's for admins.
    const etag = `"${epoch.slice(0, 8)}.${peopleVersion}.${emojis}.${presence.version()}.${me}.${viewer.role}"`
    if (request.headers['if-none-match'] === etag) return { encoded: null, etag, headers: {} }

    let active = selectProfiles(db).select('users.email').where('deactivatedAt', 'is', null)
    if (query)
      active = active.where((row) =>
        row.or([row('username', 'ilike', containsPattern(query)), row('name', 'ilike', containsPattern(query))]),
      )
    const rows = await active.orderBy('username').limit(limits.people).execute()
    const profiles = rows.map((row) => profileFor(viewer, row))
    return { encoded: encode(profiles), etag, headers: {} }
  })

  route(app, getUser, async ({ params, me }) => profileFor(await readUser(me), await readProfile(params.userId)))

  route(app, updateMe, async ({ body, me }) => {
    const mine = await readUser(me)
    const { name, username } = body
    const language = body.language && canonicalCode(body.language)
    if (name !== undefined && looksLikeAssistant(name)) throw invalidField('name', 'errors.reserved')
    const isRenamed = (name ?? mine.name) !== mine.name || (username ?? mine.username) !== mine.username
    const changes = {
      ...(name !== undefined && { name }),
      ...(username !== undefined && { username, displayUsername: username }),
      ...(language !== undefined && { language }),
    }
    // Nobody else sees the language, so the directory does not change. Each node tells the user's devices (`sockets/`).
    if (!isRenamed) {
      if (language === undefined || language === mine.language) return mine
      await db.updateTable('users').set({ language }).where('id', '=', me).execute()
      pollSoon()
      return readUser(me)
    }
    const rename = async (tx: Transaction<DB>) => {
      const peopleVersion = await bumpPeopleVersion(tx)
      await tx.updateTable('users').set(changes).where('id', '=', me).execute()
      return { renamed: await readUser(me, tx), peopleVersion }
    }
    const { renamed, peopleVersion } = await db
      .transaction()
      .execute(rename)
      .catch((error) => {
        if (error.constraint === 'users_username_key') throw usernameTaken()
        throw error
      })
    people.invalidateBefore(peopleVersion)
    publish(everyone, 'user:updated', { ...renamed, peopleVersion })
    return renamed
  })

  route(app, setStatus, async ({ body, me }) => {
    await db.updateTable('users').set({ statusEmoji: body.user_status }).where('id', '=', me).execute()
    // Each node tells its sockets.
    pollSoon()
    return profileFor(await readUser(me), await readProfile(me))
  })

  route(app, deactivateUser, ({ params, me }) => setDeactivated(me, params.userId, true))
  route(app, reactivateUser, ({ params, me }) => setDeactivated(me, params.userId, false))

  async function setDeactivated(me: string, userId: string, isDeactivated: boolean) {
    if (!can.deactivate(await readUser(me), await readUser(userId))) throw forbidden()
    const { person, peopleVersion } = await db.transaction().execute(async (tx) => {
      const peopleVersion = await bumpPeopleVersion(tx)
      // Checked again under the lock that every change of a user takes first.
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      const user = await readUser(userId, tx)
      if (!can.deactivate(await readUser(me, tx), user)) throw forbidden()
      const deactivatedAt = isDeactivated ? sql<string>`coalesce("deactivatedAt", now())` : null
      await tx.updateTable('users').set({ deactivatedAt }).where('id', '=', user.id).execute()
      // Every node closes the sockets of deleted sessions.
      if (isDeactivated) {
        await tx.deleteFrom('sessions').where('userId', '=', user.id).execute()
        await tx
          .updateTable('invites')
          .set({ revokedAt: sql<string>`now()` })
          .where('createdBy', '=', user.id)
          .where('revokedAt', 'is', null)
          .execute()
      }
      return { person: user, peopleVersion }
    })
    publish(everyone, 'user:updated', { ...person, peopleVersion })
    if (isDeactivated) pollSoon()
    if (isDeactivated) await transferOwnership(app, person.id)
    return undefined
  }

  async function readUser(userId: string, within: Db | Transaction<DB> = db): Promise<Me> {
    const user = await within
      .selectFrom('users')
      .select(['id', 'username', 'name', 'email', 'role', 'language'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (!user) throw notFound('errors.userNotFound')
    return { ...user, role: user.role as Me['role'] }
  }

  async function readProfile(userId: string) {
    const row = await selectProfiles(db).select('users.email').where('id', '=', userId).executeTakeFirst()
    if (!row) throw notFound('errors.userNotFound')
    return row
  }

  function profileFor(viewer: Me, { email, ...row }: Awaited<ReturnType<typeof readProfile>>) {
    const showsEmail = row.id === viewer.id || can.seeEmails(viewer)
    return { ...withStatus(presence, row), ...(showsEmail && { email }) }
  }
}

/** The form that browsers know: 'pt-BR' for 'PT-br'. @throws AppError 400 if no language can have this code */
function canonicalCode(code: string): string {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? code
  } catch {
    throw invalidField('language', 'errors.notALanguage')
  }
}

/** Call first in a transaction that changes users, so that concurrent changes are serialized. */
async function bumpPeopleVersion(tx: Transaction<DB>): Promise<number> {
  const { peopleVersion } = await tx
    .updateTable('workspace')
    .set({ peopleVersion: sql`"peopleVersion" + 1` })
    .returning('peopleVersion')
    .executeTakeFirstOrThrow()
  return peopleVersion
}
