import type { FastifyInstance } from 'fastify'
import type { Transaction } from 'kysely'
import { can } from '#contract/can'
import type { InputOf } from '#contract/endpoint'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import {
  changeRole,
  countOwnedChannels,
  deactivateUser,
  getUser,
  listUsers,
  type Me,
  reactivateUser,
  setStatus,
  updateMe,
} from '#contract/users'
import { isKnownTo } from '../../access/readable-channels.ts'
import { type AuditSource, actAs, sourceOf } from '../../audit/write-audit.ts'
import { countOwned } from '../../channels/leavers.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import { transferOwnership } from '../../channels/ownership.ts'
import { admitToWorkspace } from '../../channels/workspace.ts'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { forbidden, invalidField, notFound, refusedHere, unauthenticated, usernameTaken } from '../../errors.ts'
import { isWithinYear, lockAvailability, withQuietTimes } from '../../people/availability.ts'
import { resolveEmoji } from '../../people/custom-emoji.ts'
import { bumpPeopleVersion, deactivate, endLinksOf, hasEnded } from '../../people/deactivate.ts'
import { guestChannelsOf } from '../../people/guest-channels.ts'
import { namedUser, requireDistinct } from '../../people/looks.ts'
import { readPerson, roleOf, selectProfiles, withStatus } from '../../people/profiles.ts'
import { statusesVersion } from '../../people/status-columns.ts'
import { audienceOfPerson } from '../../realtime/rooms.ts'
import { encoder, route } from '../../route.ts'
import { containsPattern } from '../../text/like-pattern.ts'
import { lookOfUsername, looksLikeAssistant } from '../../text/lookalike-names.ts'

type ChannelChoice = NonNullable<InputOf<typeof deactivateUser>['body']>

/** The directory of users, and deactivation. */
export default async function users(app: FastifyInstance) {
  const { db, people, pollSoon, presence, publish } = app
  const encode = encoder(listUsers)

  route(app, listUsers, async ({ query: { query }, me, request }) => {
    const viewer = await readPerson(db, me)
    // This node's presence notices a changed status a little later, so compare all statuses.
    const { peopleVersion, epoch, statuses } = await db
      .selectFrom('workspace')
      .select(['peopleVersion', 'epoch'])
      .select(statusesVersion.as('statuses'))
      .executeTakeFirstOrThrow()
    // The response depends on the viewer: it contains their own e-mail, and everyone's for admins.
    const sight = can.seeEmails(viewer) ? 'all' : ''
    const etag = `"${epoch.slice(0, 8)}.${peopleVersion}.${statuses}.${presence.version()}.${me}.${viewer.role}.${sight}"`
    // The people known to a guest depend on their channels, which the ETag doesn't include.
    const isCurrent = can.seeEverybody(viewer) && request.headers['if-none-match'] === etag
    if (isCurrent) return { encoded: null, etag, headers: {} }

    let active = selectProfiles(db)
      .select('users.email')
      .where('deactivatedAt', 'is', null)
      .where(isKnownTo(me, 'users.id'))
    if (query)
      active = active.where((row) =>
        row.or([row('username', 'ilike', containsPattern(query)), row('name', 'ilike', containsPattern(query))]),
      )
    const rows = await active.orderBy('username').limit(limits.people).execute()
    const profiles = rows.map((row) => profileFor(viewer, row))
    return { encoded: encode(profiles), etag, headers: {} }
  })

  route(app, getUser, async ({ params, me }) =>
    profileFor(await readPerson(db, me), await readProfile(me, params.userId)),
  )

  route(app, updateMe, async ({ body, me }) => {
    const mine = await readUser(me)
    const { name, username } = body
    const language = body.language && canonicalCode(body.language)
    if (name !== undefined && looksLikeAssistant(name)) throw invalidField('name', 'errors.reserved')
    const isRenamed = (name ?? mine.name) !== mine.name || (username ?? mine.username) !== mine.username
    const changes = {
      ...(name !== undefined && { name }),
      ...(username !== undefined && {
        username,
        displayUsername: username,
        usernameLook: lookOfUsername(username),
      }),
      ...(language !== undefined && { language }),
    }
    // Nobody else sees the language, so the directory doesn't change. Each node publishes it to the user's devices (`sockets/`).
    if (!isRenamed) {
      if (language === undefined || language === mine.language) return mine
      await db.updateTable('users').set({ language }).where('id', '=', me).execute()
      pollSoon()
      return readUser(me)
    }
    const rename = async (tx: Transaction<DB>) => {
      const peopleVersion = await bumpPeopleVersion(tx)
      if (username !== undefined && username !== mine.username) await requireDistinct(tx, username, me)
      const named = name !== undefined && name !== mine.name && (await namedUser(tx, name, me))
      await tx
        .updateTable('users')
        .set({ ...changes, ...named })
        .where('id', '=', me)
        .execute()
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
    publish(await audience(me), 'user:updated', { ...renamed, peopleVersion })
    return renamed
  })

  route(app, setStatus, async ({ body, me }) => {
    const { user_status, text: statusText = '', until = null, isQuiet = false } = body
    if (until !== null && !isWithinYear(until)) throw invalidField('until', 'errors.notAnEnd')
    if (isQuiet && until === null) throw invalidField('until', 'errors.required')
    const { statusEmoji: held } = await db
      .selectFrom('users')
      .select('statusEmoji')
      .where('id', '=', me)
      .executeTakeFirstOrThrow()
    // One that was removed from the workspace may stay, when only the text changes.
    const statusEmoji = user_status === held ? held : await resolveEmoji(db, user_status, 'user_status')
    const statusUntil = until && new Date(until).toISOString()
    await db.transaction().execute(async (tx) => {
      const { nowMs, ...held } = await lockAvailability(tx, me)
      const quiet = withQuietTimes(held, { statusQuietUntil: isQuiet ? statusUntil : null }, nowMs)
      const status = { statusEmoji, statusText, statusUntil, ...quiet }
      await tx.updateTable('users').set(status).where('id', '=', me).execute()
    })
    // Each node publishes it to its sockets.
    pollSoon()
    return profileFor(await readPerson(db, me), await readProfile(me, me))
  })

  route(app, changeRole, async ({ params, body: { role }, me, request }) => {
    const { person, peopleVersion } = await db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      const peopleVersion = await bumpPeopleVersion(tx)
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      const person = await readUser(params.userId, tx)
      if (!can.changeRole(await readUser(me, tx), person)) throw forbidden()
      await tx.updateTable('users').set({ role }).where('id', '=', person.id).execute()
      if (person.role === 'guest')
        await tx.updateTable('users').set({ guestUntil: null }).where('id', '=', person.id).execute()
      if (role === 'member') await endLinksOf(tx, person.id)
      // Whoever holds a password link to a member must not be able to sign in as an admin.
      else await tx.deleteFrom('password_resets').where('userId', '=', person.id).execute()
      return { person, peopleVersion }
    })
    // A former guest joins #general.
    await admitToWorkspace(app, person.id)
    publish(await audience(person.id), 'user:updated', { ...person, peopleVersion })
    return undefined
  })

  route(app, countOwnedChannels, async ({ params: { userId }, me }) => {
    if (!can.deactivate(await readUser(me), await readUser(userId))) throw forbidden()
    return countOwned(db, userId)
  })

  route(app, deactivateUser, ({ params, body = {}, me, request }) =>
    setDeactivated(me, params.userId, true, sourceOf(request), body),
  )
  route(app, reactivateUser, ({ params, me, request }) => setDeactivated(me, params.userId, false, sourceOf(request)))

  async function setDeactivated(
    me: string,
    userId: string,
    isDeactivated: boolean,
    source: AuditSource,
    choice: ChannelChoice = {},
  ) {
    if (!can.deactivate(await readUser(me), await readUser(userId))) throw forbidden()
    const { person, peopleVersion } = await db.transaction().execute(async (tx) => {
      await actAs(tx, me, source)
      const peopleVersion = await bumpPeopleVersion(tx)
      // Check again under the lock that every change of a user takes first.
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      const user = await readUser(userId, tx)
      if (!can.deactivate(await readUser(me, tx), user)) throw forbidden()
      if (isDeactivated) await deactivate(tx, user.id)
      else await reactivate(tx, user)
      if (isDeactivated) await storeChoice(tx, { userId, actorId: me }, choice)
      return { person: user, peopleVersion }
    })
    publish(await audience(person.id), 'user:updated', { ...person, peopleVersion })
    if (isDeactivated) pollSoon()
    if (isDeactivated) await transferOwnership(app, person.id)
    return undefined
  }

  /** Stores the choice for somebody's channels. @throws AppError 400 if the heir cannot own a channel */
  async function storeChoice(
    tx: Transaction<DB>,
    who: { userId: string; actorId: string },
    { heirId = null, deletesChannels = false }: ChannelChoice,
  ) {
    if (heirId === null && !deletesChannels) return
    if (heirId !== null) {
      const isActive = heirId !== who.userId && (await lockActiveUsers(tx, [heirId])).has(heirId)
      if (!isActive || heirId === ASSISTANT || (await roleOf(tx, heirId)) === 'guest')
        throw invalidField('heirId', 'errors.userNotFound')
    }
    await tx
      .insertInto('leavers')
      .values({ id: newId(), ...who, heirId, deletesChannels })
      .onConflict((row) =>
        row.column('userId').doUpdateSet({ id: newId(), actorId: who.actorId, heirId, deletesChannels }),
      )
      .execute()
  }

  /** @throws AppError 403 for a guest whose time has ended, who would be signed out again immediately */
  async function reactivate(tx: Transaction<DB>, { id, name }: Me) {
    if (await hasEnded(tx, id)) throw refusedHere('errors.guestEnded')
    await tx
      .updateTable('users')
      .set({ deactivatedAt: null, ...(await namedUser(tx, name, id)) })
      .where('id', '=', id)
      .execute()
  }

  async function audience(userId: string) {
    const { channels } = await db
      .selectFrom('users')
      .select(guestChannelsOf('users.id').as('channels'))
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return audienceOfPerson(userId, channels)
  }

  async function readUser(userId: string, within: Db | Transaction<DB> = db): Promise<Me> {
    const user = await within
      .selectFrom('users')
      .select(['id', 'username', 'name', 'isNamesake', 'color', 'email', 'role', 'language'])
      .where('id', '=', userId)
      .where('erasedAt', 'is', null)
      .executeTakeFirst()
    if (!user) throw notFound('errors.userNotFound')
    return { ...user, role: user.role as Me['role'] }
  }

  /** @throws AppError 404 for people that a guest doesn't know, as for unknown ones */
  async function readProfile(me: string, userId: string) {
    const row = await selectProfiles(db)
      .select('users.email')
      .where('id', '=', userId)
      .where(isKnownTo(me, 'users.id'))
      .executeTakeFirst()
    if (!row) throw notFound('errors.userNotFound')
    return row
  }

  function profileFor(
    viewer: Awaited<ReturnType<typeof readPerson>>,
    { email, ...row }: Awaited<ReturnType<typeof readProfile>>,
  ) {
    const showsEmail = row.id === viewer.id || can.seeEmails(viewer)
    return { ...withStatus(presence, row), ...(showsEmail && { email }) }
  }
}

/** The canonical form: 'pt-BR' for 'PT-br'. @throws AppError 400 for an invalid code */
function canonicalCode(code: string): string {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? code
  } catch {
    throw invalidField('language', 'errors.notALanguage')
  }
}
