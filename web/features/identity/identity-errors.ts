import { limits } from '#contract/limits'
import { IdentityError } from '../../session/session.ts'

export interface ErrorText {
  text: string
  /** The field that it is about, if any. */
  field?: string
}

/** Sentences by the name of the field they are about. */
export type FieldErrors = Partial<Record<string, string>>

const { min, max } = limits.username
const usernameRule = `Use ${min} to ${max} letters (a–z), digits, dots, hyphens or underscores`

/** Sentences for the error codes of the identity API, and for what the forms find themselves. */
const sentences: Record<string, ErrorText> = {
  INVALID_EMAIL_OR_PASSWORD: { text: 'Wrong username or password' },
  INVALID_USERNAME_OR_PASSWORD: { text: 'Wrong username or password' },
  LOGIN_REQUIRED: { field: 'login', text: 'Enter your email or username' },
  EMAIL_REQUIRED: { field: 'email', text: 'Enter your email address' },
  INVALID_EMAIL: { field: 'email', text: "This isn't a valid email address" },
  USER_ALREADY_EXISTS: { field: 'email', text: 'This email is already in use' },
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { field: 'email', text: 'This email is already in use' },
  USERNAME_IS_ALREADY_TAKEN: { field: 'username', text: 'This username is taken' },
  USERNAME_REQUIRED: { field: 'username', text: 'Choose a username' },
  USERNAME_TOO_SHORT: { field: 'username', text: usernameRule },
  USERNAME_TOO_LONG: { field: 'username', text: usernameRule },
  INVALID_USERNAME: { field: 'username', text: `${usernameRule}. A few names are reserved.` },
  NAME_TOO_LONG: { field: 'name', text: `Use at most ${limits.personName} characters` },
  PASSWORD_REQUIRED: { field: 'password', text: 'Enter your password' },
  PASSWORD_TOO_SHORT: { field: 'password', text: `Use at least ${limits.password.min} characters` },
  PASSWORD_TOO_LONG: { field: 'password', text: `Use at most ${limits.password.max} characters` },
  FAILED_TO_CREATE_USER: { text: "We couldn't create your account. Try again." },
}

export const sentenceOf = (code: string) => sentences[code]?.text

/** What is missing from a sign-in, by field. */
export function signInErrors({ login = '', password = '' }: Record<string, string>): FieldErrors {
  return {
    ...(login.trim() === '' && { login: sentenceOf('LOGIN_REQUIRED') }),
    ...(password === '' && { password: sentenceOf('PASSWORD_REQUIRED') }),
  }
}

/** A sentence for a failed sign-in or sign-up, and the field that it is about. */
export function identityError(failure: unknown): ErrorText {
  if (!(failure instanceof IdentityError)) return { text: "Can't reach Parley. Check your connection." }
  if (failure.code === 'TOO_MANY_TRIES') return { text: 'Too many attempts. Try again in 10 minutes.' }
  if (failure.status === 429) return { text: 'Too many attempts. Try again in a minute.' }
  return sentences[failure.code] ?? { text: failure.message }
}
