import type { APIError } from 'better-auth'
import { PROVIDER } from '#contract/identity'
import { limits } from '#contract/limits'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { noteSignIn } from './factors/known-devices.ts'
import { refusal, wrongPassword } from './identity-refusal.ts'
import { currentHostedSignIn } from './oidc.ts'
import { signInInProgress } from './passwords.ts'
import { applyGroups, applyRole } from './provider-groups.ts'
import { wasEndedThere } from './provider-sessions.ts'

export interface Arrivals {
  /** Called before a sign-in or sign-up succeeds; returning false refuses it. */
  onArrival(userId: string): Promise<boolean>
  /** Called after a sign-up with an unconfirmed address. */
  onUnconfirmed(userId: string): Promise<void>
  /** Called when a sign-in has changed somebody's role or groups. */
  onRightsChanged(): void
}

interface Options extends Arrivals {
  config: Config
  db: Db
}

/** The sign-in method of a session. A `pending` session is replaced once the second factor is given. */
export function wayOf(path = '') {
  if (path.startsWith('/callback')) return 'provider'
  if (path === '/two-factor/verify-totp') return 'two-factor'
  if (path === '/two-factor/verify-backup-code') return 'recovery-code'
  if (path.startsWith('/passkey/')) return 'passkey'
  return signInInProgress.getStore()?.hasSecondFactor ? 'pending' : 'password'
}

/** The checks and updates that follow once a session is stored. */
export function createSignInCompletion({ config, db, onArrival, onUnconfirmed, onRightsChanged }: Options) {
  /**
   * Removes all means of access to an account whose address was never verified, before it is linked to the proven owner of the
   * address: somebody else may have created it.
   */
  async function disown(userId: string) {
    const unverified = db.selectFrom('users').select('id').where('id', '=', userId).where('emailVerified', '=', false)
    // First: somebody who has used a link by now has an account, which is deleted next.
    await db.deleteFrom('password_resets').where('userId', 'in', unverified).execute()
    await db.deleteFrom('mail_links').where('userId', 'in', unverified).execute()
    await db.deleteFrom('accounts').where('userId', 'in', unverified).execute()
    await db.deleteFrom('passkeys').where('userId', 'in', unverified).execute()
    await db.deleteFrom('two_factors').where('userId', 'in', unverified).execute()
    await db.deleteFrom('sessions').where('userId', 'in', unverified).execute()
    // Last, and only if needed: it waits for concurrent sign-ins.
    await db
      .updateTable('users')
      .set({ twoFactorEnabled: false })
      .where('id', 'in', unverified)
      .where('twoFactorEnabled', '=', true)
      .execute()
  }

  /**
   * Whether the account used for this sign-in still exists, with the same password. Called after the session is stored:
   * since accounts are changed before sessions are deleted, a concurrent change either shows here or deletes the session.
   */
  async function accountExists(userId: string) {
    const hosted = await currentHostedSignIn()
    const hash = signInInProgress.getStore()?.hash
    const account = await db
      .selectFrom('accounts')
      .select('id')
      .where('userId', '=', userId)
      .where('providerId', '=', hosted ? PROVIDER : 'credential')
      .$if(hosted !== undefined, (query) => query.where('accountId', '=', hosted?.accountId ?? ''))
      .$if(typeof hash === 'string', (query) => query.where('password', '=', hash as string))
      .executeTakeFirst()
    return account !== undefined
  }

  async function completeSignIn(sessionId: string, userId: string, path = '') {
    const refuse = async (error: APIError) => {
      await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
      throw error
    }
    if (!(await accountExists(userId))) await refuse(wrongPassword(path))
    if (await wasEndedThere(db, await currentHostedSignIn())) await refuse(wrongPassword(path))
    if (wayOf(path) === 'pending') return
    if (!(await onArrival(userId))) await refuse(refusal('FORBIDDEN', 'DEACTIVATED', 'errors.deactivated'))
    await applyProvider(userId)
    if (path.startsWith('/sign-up')) await onUnconfirmed(userId)
    const device = signInInProgress.getStore()?.device
    if (device) await noteSignIn(db, config, { sessionId, userId, device })
    const sessions = db.selectFrom('sessions').select('id').where('userId', '=', userId)
    const newest = sessions.orderBy('createdAt', 'desc').limit(limits.sessions)
    await db.deleteFrom('sessions').where('userId', '=', userId).where('id', 'not in', newest).execute()
    const attempt = signInInProgress.getStore()
    if (attempt) Object.assign(attempt, { userId, signedInBy: path.startsWith('/sign-up') ? 'sign-up' : wayOf(path) })
  }

  /** Applies the provider's groups at this sign-in to the role and groups here, if the settings map them. */
  async function applyProvider(userId: string) {
    const groups = (await currentHostedSignIn())?.groups
    if (!config.oidc || !groups) return
    const hasRole = await applyRole(db, config.oidc, userId, groups)
    if ((await applyGroups(db, config.oidc, userId, groups)) || hasRole) onRightsChanged()
    // A guest who became a member joins #general.
    if (hasRole) await onArrival(userId)
  }

  return { disown, completeSignIn }
}
