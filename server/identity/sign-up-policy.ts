import { createHash, randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { refusal } from './identity-refusal.ts'
import { signInInProgress } from './passwords.ts'
import { isSameCode, ownerCodeOf, readEntry } from './workspace-entry.ts'

interface Options {
  db: Db
  config: Pick<Config, 'signUp'>
  secret: string
}

/** Why a new user was admitted; stored in their row. */
interface Admission {
  inviteId?: string
  isFounder?: true
  /** The invite was mailed to this address. */
  emailVerified?: true
}

/** A random 128-bit code for the link of an invite or a password. */
export const newLinkCode = () => randomBytes(16).toString('base64url')

/** Codes are stored only as hashes. */
export const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

/**
 * Checks whether a new user may sign up. The database counts the invite's use when it stores their row, and stores only one
 * founder.
 * @param code of an invite, or of the owner's link
 * @throws APIError 403 with a different code for each reason
 */
export async function admit({ db, config, secret }: Options, code: unknown, email: unknown): Promise<Admission> {
  const { isFounded, signUp: mode, filesId } = await readEntry(db, config)
  if (!isFounded) {
    const isFromOperator = signInInProgress.getStore()?.isFromOperator === true
    if (isFromOperator || isSameCode(code, ownerCodeOf({ filesId }, secret))) return { isFounder: true }
    throw refusal('FORBIDDEN', 'OWNER_LINK_NEEDED', 'errors.ownerLinkNeeded')
  }
  // With open sign-up, invites still count their uses, and a guest invite still makes a guest.
  if (mode === 'open') return (await openInvite(db, code, email)) ?? {}
  if (mode === 'closed') throw refusal('FORBIDDEN', 'SIGN_UP_CLOSED', 'errors.signUpClosed')
  if (typeof code !== 'string' || code === '') throw refusal('FORBIDDEN', 'INVITE_NEEDED', 'errors.inviteNeeded')
  const invite = await liveInvite(db, code)
  if (!invite) throw refusal('FORBIDDEN', 'INVITE_ENDED', 'errors.inviteEnded')
  return admissionBy(invite, email)
}

async function openInvite(db: Db, code: unknown, email: unknown): Promise<Admission | undefined> {
  const invite = typeof code === 'string' && code !== '' ? await liveInvite(db, code) : undefined
  const isForOthers = invite?.email != null && !invite.guestUntil && invite.email !== lower(email)
  return !invite || isForOthers ? undefined : admissionBy(invite, email)
}

const lower = (email: unknown) => (typeof email === 'string' ? email.toLowerCase() : undefined)

function admissionBy(invite: { id: string; email: string | null }, email: unknown): Admission {
  if (invite.email === null) return { inviteId: invite.id }
  if (invite.email !== lower(email)) throw refusal('FORBIDDEN', 'INVITE_ADDRESS', 'errors.inviteAddress')
  return { inviteId: invite.id, emailVerified: true }
}

/** The live invite with a code, and who created it; undefined if there is none. */
export function liveInvite(db: Db, code: string) {
  return liveInvites(db).where('codeHash', '=', hashOf(code)).executeTakeFirst()
}

/** Invites that are neither revoked, expired nor used up. */
export const liveInvites = (db: Db | Transaction<DB>) =>
  db
    .selectFrom('invites')
    .innerJoin('users', 'users.id', 'invites.createdBy')
    .where('invites.revokedAt', 'is', null)
    .where('invites.expiresAt', '>', sql<string>`clock_timestamp()`)
    .where(sql<boolean>`(invites."guestUntil" is null or invites."guestUntil" > clock_timestamp())`)
    .whereRef('invites.uses', '<', 'invites.maxUses')
    .select([
      'invites.id',
      'invites.maxUses',
      'invites.uses',
      'invites.createdAt',
      'invites.expiresAt',
      'invites.guestUntil',
      'invites.email',
      'invites.mailedAt',
      'invites.mailId',
      'users.id as userId',
      'users.username',
      'users.name',
    ])
