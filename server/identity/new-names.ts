import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { shownText } from '#contract/text'
import type { Db } from '../db/database.ts'
import { findLookAlike } from '../people/looks.ts'
import { looksLikeAssistant } from '../text/lookalike-names.ts'
import { refusal } from './identity-refusal.ts'

/** Refuses to change names through the library: our own call validates and publishes them. */
export async function refuseNames(changes: object) {
  if (['name', 'username', 'displayUsername', 'image'].some((field) => field in changes))
    throw refusal('FORBIDDEN', 'NAMES_ELSEWHERE', 'errors.namesElsewhere')
}

/** The name of a new user. @throws APIError 400 */
export function nameOf(user: { name?: string; username?: unknown }): string {
  if (typeof user.username !== 'string') throw refusal('BAD_REQUEST', 'USERNAME_REQUIRED', 'errors.usernameRequired')
  const name = shownText(user.name ?? '').trim() || user.username
  if (looksLikeAssistant(name)) throw refusal('BAD_REQUEST', 'NAME_RESERVED', 'errors.nameReserved')
  if (name.length > limits.personName)
    throw refusal('BAD_REQUEST', 'NAME_TOO_LONG', problem('errors.nameTooLong', { max: limits.personName }))
  return name
}

/**
 * The library only ensures unique usernames of people. But groups share them, and they must not look alike.
 * @throws APIError 400
 */
export async function refuseTakenUsername(db: Db, username: unknown) {
  if (typeof username !== 'string') return
  const found = await findLookAlike(db, username)
  if (found === undefined) return
  const why = found === username ? 'errors.usernameTaken' : 'errors.usernameLooksTaken'
  throw refusal('BAD_REQUEST', 'USERNAME_IS_ALREADY_TAKEN', why)
}
