import { createHash, randomBytes } from 'node:crypto'
import { APIError } from 'better-auth'
import { sql, type Transaction } from 'kysely'
import type { SignUpMode } from '#contract/identity'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'

/** How a new person is let in; goes into their row. */
export interface Admission {
  inviteId?: string
  isFounder?: true
}

/** The code of an invite link: 128 bits that nobody guesses. */
export const newInviteCode = () => randomBytes(16).toString('base64url')

/** Only this is kept of a code. */
export const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

/** Who may sign up now: anyone until the workspace has its owner, then by the mode. */
export async function signUpMode(db: Db, mode: SignUpMode): Promise<SignUpMode> {
  return mode === 'open' || (await hasOwner(db)) ? mode : 'open'
}

/**
 * Lets a new person in, or not. The invite's use is counted by the database as their row is written.
 * @throws APIError 403 with a code of its own for each reason
 */
export async function admit(db: Db, mode: SignUpMode, code: unknown): Promise<Admission> {
  if (mode === 'open') return {}
  if (!(await hasOwner(db))) return { isFounder: true }
  if (mode === 'closed') throw refused('SIGN_UP_CLOSED', 'Sign-up is closed')
  if (typeof code !== 'string' || code === '') throw refused('INVITE_NEEDED', 'You need an invite link to sign up')
  const invite = await liveInvite(db, code)
  if (!invite) throw refused('INVITE_ENDED', 'This invite link has expired or been used up')
  return { inviteId: invite.id }
}

/** The invite that a code opens, and who made it; undefined where it has ended or never was. */
export function liveInvite(db: Db, code: string) {
  return liveInvites(db).where('codeHash', '=', hashOf(code)).executeTakeFirst()
}

/** Invites that still let somebody in. */
export const liveInvites = (db: Db | Transaction<DB>) =>
  db
    .selectFrom('invites')
    .innerJoin('users', 'users.id', 'invites.createdBy')
    .where('invites.revokedAt', 'is', null)
    .where('invites.expiresAt', '>', sql<string>`clock_timestamp()`)
    .whereRef('invites.uses', '<', 'invites.maxUses')
    .select([
      'invites.id',
      'invites.maxUses',
      'invites.uses',
      'invites.createdAt',
      'invites.expiresAt',
      'users.id as userId',
      'users.username',
      'users.name',
    ])

async function hasOwner(db: Db) {
  return (await db.selectFrom('workspace').select('ownerId').executeTakeFirstOrThrow()).ownerId !== null
}

const refused = (code: string, message: string) => new APIError('FORBIDDEN', { code, message })
