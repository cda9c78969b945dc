import { limits } from '#contract/limits'
import { IdentityError } from '../../session/session.ts'

export interface ErrorText {
  text: string
  /** The field it belongs to, where it belongs to one. */
  field?: string
}

const { min, max } = limits.username
const usernameRule = `A username has ${min} to ${max} of the letters a–z, digits, dots, hyphens and underscores`

/** The identity's codes, in a person's words. */
const words: Record<string, ErrorText> = {
  INVALID_EMAIL_OR_PASSWORD: { text: 'That name and password do not go together' },
  INVALID_USERNAME_OR_PASSWORD: { text: 'That name and password do not go together' },
  INVALID_EMAIL: { field: 'email', text: 'That is not an e-mail address' },
  USER_ALREADY_EXISTS: { field: 'email', text: 'Somebody uses this e-mail address already' },
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { field: 'email', text: 'Somebody uses this e-mail address already' },
  USERNAME_IS_ALREADY_TAKEN: { field: 'username', text: 'This username is taken' },
  USERNAME_REQUIRED: { field: 'username', text: 'Choose a username' },
  USERNAME_TOO_SHORT: { field: 'username', text: usernameRule },
  USERNAME_TOO_LONG: { field: 'username', text: usernameRule },
  INVALID_USERNAME: { field: 'username', text: `${usernameRule}; a few names are reserved` },
  NAME_TOO_LONG: { field: 'name', text: `A name has at most ${limits.personName} characters` },
  PASSWORD_TOO_SHORT: { field: 'password', text: `A password has at least ${limits.password.min} characters` },
  FAILED_TO_CREATE_USER: { text: 'The account could not be made; try again' },
  PASSWORD_TOO_LONG: { field: 'password', text: `A password has at most ${limits.password.max} characters` },
}

/** What went wrong at signing in or up, and at which field. */
export function identityError(failure: unknown): ErrorText {
  if (!(failure instanceof IdentityError)) return { text: 'Parley cannot be reached; check your connection' }
  if (failure.code === 'TOO_MANY_TRIES') return { text: 'Too many attempts at this account; try again in ten minutes' }
  if (failure.status === 429) return { text: 'Too many attempts; wait a minute and try again' }
  return words[failure.code] ?? { text: failure.message }
}
