import { limits } from '#contract/limits'
import { reasonText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { IdentityError } from '../../session/session.ts'

export interface ErrorText {
  text: string
  /** The field that it is about, if any. */
  field?: string
}

/** Sentences by the name of the field they are about. */
export type FieldErrors = Partial<Record<string, string>>

const { username, personName, password } = limits

/** Sentences for the error codes of the identity API, and for the forms' own checks. */
const sentences: Record<string, { text: () => string; field?: string }> = {
  INVALID_EMAIL_OR_PASSWORD: { text: () => t('signIn.error.wrong') },
  INVALID_USERNAME_OR_PASSWORD: { text: () => t('signIn.error.wrong') },
  LOGIN_REQUIRED: { field: 'login', text: () => t('signIn.error.loginMissing') },
  EMAIL_REQUIRED: { field: 'email', text: () => t('signUp.error.emailMissing') },
  INVALID_EMAIL: { field: 'email', text: () => t('signUp.error.email') },
  // The library's schema refuses no other field of our forms.
  VALIDATION_ERROR: { field: 'email', text: () => t('signUp.error.email') },
  USER_ALREADY_EXISTS: { field: 'email', text: () => t('signUp.error.emailTaken') },
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { field: 'email', text: () => t('signUp.error.emailTaken') },
  USERNAME_IS_ALREADY_TAKEN: { field: 'username', text: () => t('signUp.error.usernameTaken') },
  USERNAME_REQUIRED: { field: 'username', text: () => t('signUp.error.usernameMissing') },
  USERNAME_TOO_SHORT: { field: 'username', text: () => t('signUp.error.usernameLength', username) },
  USERNAME_TOO_LONG: { field: 'username', text: () => t('signUp.error.usernameLength', username) },
  INVALID_USERNAME: { field: 'username', text: () => t('signUp.error.username', username) },
  NAME_TOO_LONG: { field: 'name', text: () => t('signUp.error.tooLong', { max: personName }) },
  PASSWORD_REQUIRED: { field: 'password', text: () => t('signIn.error.passwordMissing') },
  PASSWORD_TOO_SHORT: { field: 'password', text: () => t('signUp.error.passwordShort', { min: password.min }) },
  PASSWORD_TOO_LONG: { field: 'password', text: () => t('signUp.error.tooLong', { max: password.max }) },
  INVALID_CODE: { field: 'code', text: () => t('signIn.code.wrong') },
  INVALID_BACKUP_CODE: { field: 'code', text: () => t('signIn.code.wrongRecovery') },
  CODE_MISSING: { field: 'code', text: () => t('signIn.code.missing') },
  INVALID_TWO_FACTOR_COOKIE: { text: () => t('signIn.code.timedOut') },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { text: () => t('signIn.code.tooMany') },
  PASSKEY_NOT_FOUND: { text: () => t('signIn.passkey.unknown') },
  AUTHENTICATION_FAILED: { text: () => t('signIn.passkey.failed') },
  CHALLENGE_NOT_FOUND: { text: () => t('signIn.passkey.failed') },
  FAILED_TO_CREATE_USER: { text: () => t('signUp.error.failed') },
}

export const sentenceOf = (code: string) => sentences[code]?.text()

/** What is missing from a sign-in, by field. */
export function signInErrors({ login = '', password = '' }: Record<string, string>): FieldErrors {
  return {
    ...(login.trim() === '' && { login: sentenceOf('LOGIN_REQUIRED') }),
    ...(password === '' && { password: sentenceOf('PASSWORD_REQUIRED') }),
  }
}

/** A sentence for a failed sign-in or sign-up, and the field that it is about. */
export function identityError(failure: unknown): ErrorText {
  if (!(failure instanceof IdentityError)) return { text: t('errors.unreachable') }
  if (failure.code === 'TOO_MANY_TRIES') return { text: t('signIn.error.manyTries') }
  if (failure.code === 'ACCOUNT_TEMPORARILY_LOCKED') return { text: t('signIn.code.locked') }
  if (failure.status === 429 && failure.reply.reason !== 'tooManyAttempts') return { text: t('signIn.error.tooFast') }
  if (failure.reply.reason === 'usernameLooksTaken') return { field: 'username', text: t('errors.usernameLooksTaken') }
  const known = sentences[failure.code]
  if (known) return { ...known, text: known.text() }
  return { text: reasonText(failure) ?? failure.message }
}
