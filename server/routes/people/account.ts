import type { FastifyInstance } from 'fastify'
import { deleteAccount, getDeletion } from '#contract/account'
import { DELETED_NAME } from '#contract/deleted-accounts'
import { deletedUsername } from '#contract/deleted-usernames'
import { actAs, sourceOf } from '../../audit/write-audit.ts'
import { endMemberships } from '../../channels/end-memberships.ts'
import { transferOwnership } from '../../channels/ownership.ts'
import { invalidField, unauthenticated } from '../../errors.ts'
import { archiveKeyOf } from '../../exports/export-jobs.ts'
import { obstacleTo, requireDeletable } from '../../identity/account-obstacle.ts'
import { endChallenges } from '../../identity/factors/challenges.ts'
import { confirmIdentity } from '../../identity/factors/confirm-identity.ts'
import { bumpPeopleVersion } from '../../people/deactivate.ts'
import { eraseAccount } from '../../people/erase-account.ts'
import { guestChannelsOf } from '../../people/guest-channels.ts'
import { audienceOfPerson, userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** Deleting my account. */
export default async function account(app: FastifyInstance) {
  const { db, log, people, pollSoon, publish, storage } = app

  route(app, getDeletion, async ({ me }) => ({ obstacle: await obstacleTo(db, me) }))

  route(app, deleteAccount, async ({ body: { username, password }, me, sessionId, request }) => {
    await requireDeletable(db, me)
    await requireName(me, username)
    await confirmIdentity(app, { userId: me, sessionId, password })
    const { archives, channels, peopleVersion } = await db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      const peopleVersion = await bumpPeopleVersion(tx)
      // Locks the row: concurrent calls that make them a member come first, or fail.
      const mine = await tx
        .selectFrom('users')
        .select(guestChannelsOf('users.id').as('channels'))
        .where('id', '=', me)
        .forUpdate()
        .executeTakeFirstOrThrow()
      // The session may have ended while the password was checked: a token outlives its session for a moment.
      const session = tx.selectFrom('sessions').select('id').where('id', '=', sessionId).where('userId', '=', me)
      if (!(await session.forUpdate().executeTakeFirst())) throw unauthenticated()
      await requireDeletable(tx, me)
      await endChallenges(tx, me)
      return { archives: await eraseAccount(tx, me), channels: mine.channels, peopleVersion }
    })
    people.invalidateBefore(peopleVersion)
    const nobody = { id: me, username: deletedUsername(me), name: DELETED_NAME, avatarUrl: null, peopleVersion }
    // Their own pages are about to be signed out.
    publish(audienceOfPerson(me, channels), 'user:updated', nobody, userRoom(me))
    pollSoon()
    if (archives.length > 0)
      storage
        .remove(archives.map(archiveKeyOf))
        // The sweep will remove them.
        .catch((error) =>
          log.warn({ err: error }, 'could not remove the archives of a deleted account; the sweep will'),
        )
    await Promise.all([endMemberships(app, me), transferOwnership(app, me)])
    return undefined
  })

  /** @throws AppError 400 if it is not mine */
  async function requireName(me: string, typed: string) {
    const { username } = await db.selectFrom('users').select('username').where('id', '=', me).executeTakeFirstOrThrow()
    if (typed.trim().replace(/^@/, '').toLowerCase() !== username)
      throw invalidField('username', 'errors.notYourUsername')
  }
}
