import { limits } from '#contract/limits'
import { isUsername } from '#contract/users'
import { type FieldErrors, sentenceOf } from './identity-errors.ts'

/** Something before and after the @, and a full stop; the server decides. */
const EMAIL = /^\S+@\S+\.\S+$/

/** The errors of a sign-up, by field, so that all of them show before anything is sent. */
export function signUpErrors({ username = '', email = '', password = '' }: Record<string, string>): FieldErrors {
  const codes = {
    username: usernameFault(username.trim().toLowerCase()),
    email: emailFault(email.trim()),
    password: password.length < limits.password.min ? 'PASSWORD_TOO_SHORT' : undefined,
  }
  const faults = Object.entries(codes).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(faults.map(([field, code]) => [field, sentenceOf(code)]))
}

function usernameFault(username: string) {
  if (username === '') return 'USERNAME_REQUIRED'
  if (username.length < limits.username.min) return 'USERNAME_TOO_SHORT'
  return isUsername(username) ? undefined : 'INVALID_USERNAME'
}

function emailFault(email: string) {
  if (email === '') return 'EMAIL_REQUIRED'
  return EMAIL.test(email) ? undefined : 'INVALID_EMAIL'
}

/** A username for a person's name: the first name, or all of them if it is too short. Empty if none can be made of it. */
export function proposeUsername(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^a-z0-9-]+/g, '').replace(/^-+|-+$/g, ''))
    .filter(Boolean)
  const proposals = [words[0], words.join('.')].map((proposal) => (proposal ?? '').slice(0, limits.username.max))
  return proposals.find(isUsername) ?? ''
}
