import { sql, type Transaction } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { can } from '#contract/can'
import { problem } from '#contract/errors'
import type { Invite } from '#contract/invites'
import { limits } from '#contract/limits'
import { isReadableBy } from '../../access/readable-channels.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, notFound, unauthenticated } from '../../errors.ts'
import { liveInvites } from '../../identity/sign-up-policy.ts'
import { readPerson } from '../../people/profiles.ts'

export async function requireManager(within: Db | Transaction<DB>, me: string) {
  const person = await readPerson(within, me)
  if (!can.inviteToWorkspace(person)) throw forbidden()
  return person
}

type Viewer = Awaited<ReturnType<typeof readPerson>>
type LiveInvite = Awaited<ReturnType<ReturnType<typeof selectInvites>['execute']>>[number]

/** Live invites, with those channels for guests that the user may read, and the state of their mail. */
export const selectInvites = (db: Db | Transaction<DB>, me: string) =>
  liveInvites(db)
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('invite_channels')
          .innerJoin('channels', 'channels.id', 'invite_channels.channelId')
          .whereRef('invite_channels.inviteId', '=', 'invites.id')
          .where('channels.deletedAt', 'is', null)
          .where(isReadableBy(me))
          .select(['channels.id', 'channels.name'])
          .orderBy('channels.name'),
      ).as('channels'),
    )
    .select(
      sql<Invite['mail']>`case
        when invites."mailId" is null then null
        else coalesce(
          (select case when "failedAt" is null then 'waiting' else 'refused' end from mails where id = invites."mailId"),
          'sent'
        )
      end`.as('mail'),
    )

/** Shows an address to the creator of the invite, and to people who may see everybody's. */
export function presentInvite(viewer: Viewer, invite: LiveInvite): Invite {
  const { userId, username, name, email, mailId: _, ...rest } = invite
  return {
    ...rest,
    channels: rest.channels ?? [],
    createdBy: { id: userId, username, name },
    email: userId === viewer.id || can.seeEmails(viewer) ? email : null,
  }
}

interface Invitation {
  id: string
  codeHash: string
  maxUses: number
  email?: string
  mailId?: string
}

interface Offer {
  days: number
  guests?: { channelIds: string[]; days: number } | undefined
}

/** Locks what creating invites depends on; call it first. @throws AppError */
export async function beginInviting(tx: Transaction<DB>, me: string) {
  // Serializes creations, so that the maximum holds.
  await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
  // A deactivation revokes the user's invites, so they must not create another.
  if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
  return requireManager(tx, me)
}

/** @throws AppError 409 `too_many_invites`, and for channels that the user may not invite to */
export async function storeInvites(tx: Transaction<DB>, me: string, invites: Invitation[], { days, guests }: Offer) {
  const live = await liveInvites(tx).select('invites.id').limit(limits.invite.live).execute()
  if (live.length + invites.length > limits.invite.live)
    throw conflict('too_many_invites', problem('errors.tooManyInvites', { max: limits.invite.live }))
  const inDays = (count: number) => sql<string>`clock_timestamp() + make_interval(days => ${count})`
  const channelIds = [...new Set(guests?.channelIds)]
  await requireOwnChannels(tx, me, channelIds)
  const shared = {
    createdBy: me,
    // Guests who sign up later would be signed out immediately.
    expiresAt: inDays(guests ? Math.min(days, guests.days) : days),
    guestUntil: guests ? inDays(guests.days) : null,
  }
  await tx
    .insertInto('invites')
    .values(
      invites.map((invite) => ({
        ...invite,
        ...shared,
        mailedAt: invite.mailId ? sql<string>`clock_timestamp()` : null,
      })),
    )
    .execute()
  if (channelIds.length === 0) return
  const channels = invites.flatMap(({ id }) => channelIds.map((channelId) => ({ inviteId: id, channelId })))
  await tx.insertInto('invite_channels').values(channels).execute()
}

/** @throws AppError 404 for a channel that the user is not in, that is archived, or that is a direct message */
async function requireOwnChannels(tx: Transaction<DB>, me: string, channelIds: string[]) {
  if (channelIds.length === 0) return
  const own = await tx
    .selectFrom('channels')
    .innerJoin('memberships', 'memberships.channelId', 'channels.id')
    .select('channels.id')
    .where('channels.id', 'in', channelIds)
    .where('memberships.userId', '=', me)
    .where('kind', '<>', 'direct')
    .where('deletedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .execute()
  if (own.length < channelIds.length) throw notFound('errors.channelNotFound')
  if (!(await readPerson(tx, me)).may.includes('inviteToChannels')) throw forbidden()
}
