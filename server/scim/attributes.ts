import { invalidValue } from './scim-error.ts'

/** Per attribute. */
const MAX_CHARACTERS = 255

export type Attributes = Record<string, unknown>

export const isObject = (value: unknown): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object's attributes by lower-case name: names are case-insensitive (RFC 7643, 2.1). */
export const lowerKeys = (value: Attributes): Map<string, unknown> =>
  new Map(Object.entries(value).map(([key, part]) => [key.toLowerCase(), part]))

/** A short text; undefined if it is missing or empty. @throws ScimError 400 */
export function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidValue(`${name} must be a text.`)
  const text = value.trim()
  if (text.length > MAX_CHARACTERS) throw invalidValue(`${name} has more than ${MAX_CHARACTERS} characters.`)
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) throw invalidValue(`${name} has characters that no name has.`)
  return text === '' ? undefined : text
}

/** Entra ID sends "True" and "False". @throws ScimError 400 */
export function booleanOf(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw invalidValue(`${name} must be true or false.`)
}
