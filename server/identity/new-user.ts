import { getOAuthState } from 'better-auth/api'
import { limits } from '#contract/limits'
import { shownText } from '#contract/text'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { namedUser } from '../people/looks.ts'
import { lookOfUsername, looksLikeAssistant } from '../text/lookalike-names.ts'
import { nameOf, refuseTakenUsername } from './new-names.ts'
import { admit } from './sign-up-policy.ts'

interface NewUser {
  name?: string
  username?: unknown
  email?: string
}

/**
 * Checks whether a new user may sign up, and sets their name.
 * @param path of the call, below /api/auth
 */
export async function prepareUser(
  options: { db: Db; config: Config; secret: string },
  user: NewUser,
  path = '',
  body?: { invite?: unknown },
) {
  const isHosted = path.startsWith('/callback')
  const code = isHosted ? (await getOAuthState())?.['invite'] : body?.invite
  const { db } = options
  const admission = await admit(options, code, user.email)
  // No picture: it would be loaded from another host, which could then track readers.
  const accepted = { ...user, ...admission, image: null, usernameLook: lookOfUsername(String(user.username)) }
  if (!isHosted) {
    await refuseTakenUsername(db, user.username)
    return { ...accepted, ...(await namedUser(db, nameOf(user))) }
  }
  const name = shownText(user.name ?? '')
    .trim()
    .slice(0, limits.personName)
    .toWellFormed()
  const shown = name && !looksLikeAssistant(name) ? name : String(user.username)
  return { ...accepted, ...(await namedUser(db, shown)) }
}
