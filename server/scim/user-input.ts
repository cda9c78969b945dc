import { type Attributes, booleanOf, isObject, lowerKeys, textOf } from './attributes.ts'
import { invalidValue } from './scim-error.ts'

/** The attributes of a person from a directory that Parley stores. */
export interface UserInput {
  userName: string
  externalId: string | undefined
  /** The name shown to people. */
  displayName: string
  givenName: string | undefined
  familyName: string | undefined
  /** In lower case. */
  email: string
  active: boolean
}

const MAX_EMAILS = 20
const EMAIL = /^[^\s@]+@[^\s@]+$/
const MAX_EMAIL_CHARACTERS = 254

/** Reads a user; ignores other attributes, of which directories send many. @throws ScimError 400 */
export function readUserInput(body: unknown): UserInput {
  if (!isObject(body)) throw invalidValue('The body must be a user.')
  const parts = lowerKeys(body)
  const userName = textOf('userName', parts.get('username'))
  if (!userName) throw invalidValue('userName is required.')
  const name = isObject(parts.get('name')) ? lowerKeys(parts.get('name') as Attributes) : new Map<string, unknown>()
  const givenName = textOf('name.givenName', name.get('givenname'))
  const familyName = textOf('name.familyName', name.get('familyname'))
  const whole = [givenName, familyName].filter(Boolean).join(' ')
  const active = parts.get('active')
  return {
    userName,
    externalId: textOf('externalId', parts.get('externalid')),
    displayName:
      textOf('displayName', parts.get('displayname')) ??
      (textOf('name.formatted', name.get('formatted')) || whole || (userName.split('@')[0] as string)),
    givenName,
    familyName,
    email: emailOf(parts.get('emails'), userName),
    active: active === undefined || active === null ? true : booleanOf('active', active),
  }
}

/** The primary address, or one of type work, or the first; otherwise the user name, if it is an address. */
function emailOf(emails: unknown, userName: string): string {
  if (emails !== undefined && emails !== null && !Array.isArray(emails)) throw invalidValue('emails must be an array.')
  const all = ((emails as unknown[] | undefined) ?? []).slice(0, MAX_EMAILS).filter(isObject).map(lowerKeys)
  const isPrimary = (email: Map<string, unknown>) => /^true$/i.test(String(email.get('primary')))
  const chosen = all.find(isPrimary) ?? all.find((email) => email.get('type') === 'work') ?? all[0]
  const value = textOf('emails.value', chosen?.get('value')) ?? userName
  if (!EMAIL.test(value) || value.length > MAX_EMAIL_CHARACTERS) throw invalidValue('emails needs an address.')
  return value.toLowerCase()
}
