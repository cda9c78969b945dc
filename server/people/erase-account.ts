import { sql, type Transaction } from 'kysely'
import { DELETED_NAME } from '#contract/deleted-accounts'
import { deletedUsername } from '#contract/deleted-usernames'
import { DEFAULT_STATUS } from '#contract/users'
import type { DB } from '../db/schema.ts'
import { lookOfUsername } from '../text/lookalike-names.ts'
import { deactivate } from './deactivate.ts'

/** Tables of personal data by user. */
const OWN_TABLES = [
  'accounts',
  'two_factors',
  'passkeys',
  'push_subscriptions',
  'known_devices',
  'mail_links',
  'mail_rules',
  'mails',
  'missed_mails',
  'notification_settings',
  'seen_people',
  'avatars',
  'later_items',
  'scheduled_messages',
  'blocks',
  'group_people',
  'guest_channels',
  'imported_people',
  'provided_people',
] as const

/**
 * Irreversibly erases personal data from an account. The row stays, because messages refer to it; the person can sign up again
 * as somebody else. Their memberships end afterwards (`channels/end-memberships.ts`). Call it in a transaction after `actAs`,
 * for the audit log.
 * @returns the archives of their exports, whose bytes the caller has to remove
 */
export async function eraseAccount(tx: Transaction<DB>, userId: string): Promise<string[]> {
  const { email } = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  // First, so that the audit log records a deletion.
  await tx
    .updateTable('users')
    .set({ erasedAt: sql<string>`clock_timestamp()`, ...nobody(userId), deactivatedAt: sql<string>`clock_timestamp()` })
    .where('id', '=', userId)
    .execute()
  // Ends sessions, password links and invites.
  await deactivate(tx, userId)
  await tx.updateTable('invites').set({ email: null }).where('createdBy', '=', userId).execute()
  for (const table of OWN_TABLES) await tx.deleteFrom(table).where('userId', '=', userId).execute()
  await tx.deleteFrom('mentions').where('userId', '=', userId).where('isKeyword', '=', true).execute()
  await tx.deleteFrom('blocks').where('blockedId', '=', userId).execute()
  await forgetAddress(tx, email)
  // Files uploaded for a message that was never sent.
  await tx
    .updateTable('files')
    .set({ state: 'gone', touchedAt: sql<string>`clock_timestamp()` })
    .where('userId', '=', userId)
    .where('state', '=', 'ready')
    .where('isShown', '=', false)
    .execute()
  const exports = await tx.deleteFrom('exports').where('userId', '=', userId).returning('archiveId').execute()
  return exports.flatMap(({ archiveId }) => archiveId ?? [])
}

/** Anonymous values for the row. The role stays, since nobody can use it any more. */
const nobody = (userId: string) => ({
  name: DELETED_NAME,
  username: deletedUsername(userId),
  usernameLook: lookOfUsername(deletedUsername(userId)),
  nameLook: null,
  isNamesake: false,
  displayUsername: null,
  email: `${userId}@deleted.invalid`,
  emailVerified: false,
  twoFactorEnabled: false,
  inviteId: null,
  language: null,
  timeZone: null,
  choseTimeZone: false,
  profile: '{}',
  statusEmoji: DEFAULT_STATUS,
  statusText: '',
  statusUntil: null,
  availability: 'active',
  quietUntil: null,
  mutedUntil: null,
  updatedAt: sql<string>`clock_timestamp()`,
})

/** A mailed invite lists their address even after they used it. An open one keeps it, being for whoever has the address. */
const forgetAddress = (tx: Transaction<DB>, email: string) =>
  tx
    .updateTable('invites')
    .set({ email: null })
    .where('email', '=', email)
    .where((it) =>
      it.or([
        it('uses', '>=', it.ref('maxUses')),
        it('revokedAt', 'is not', null),
        it('expiresAt', '<=', sql<string>`clock_timestamp()`),
      ]),
    )
    .execute()
