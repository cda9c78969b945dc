import { type Attributes, isObject, lowerKeys } from './attributes.ts'
import { invalidPath, ScimError } from './scim-error.ts'

/** One change, with its path split into parts. */
export interface Change {
  op: 'add' | 'replace' | 'remove'
  /** In lower case. */
  attribute: string
  /** The text in brackets. */
  filter: string | undefined
  /** The part after the dot, in lower case. */
  sub: string | undefined
  value: unknown
}

const MAX_OPERATIONS = 100
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i
/** `emails[type eq "work"].value`, `name.givenName`, `members`. */
const PATH = /^([a-z][\w$-]*)(?:\[(.*)\])?(?:\.([a-z][\w$-]*))?$/is
/** Attributes of other schemas, such as the department, are ignored. */
const EXTENSION = /^urn:/i

/**
 * Parses the changes of a PATCH body (RFC 7644, 3.5.2), in order. Supports the spellings of Entra ID (`Add`, `Replace`) and of
 * Okta (an object of attributes, without a path).
 * @throws ScimError 400
 */
export function readChanges(body: unknown): Change[] {
  const operations = isObject(body) ? lowerKeys(body).get('operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError(400, 'Operations must be an array with a change.', 'invalidSyntax')
  if (operations.length > MAX_OPERATIONS)
    throw new ScimError(400, `More than ${MAX_OPERATIONS} operations at once.`, 'tooMany')
  return operations.flatMap(readOperation)
}

function readOperation(operation: unknown): Change[] {
  const parts = isObject(operation) ? lowerKeys(operation) : new Map<string, unknown>()
  const op = String(parts.get('op')).toLowerCase()
  if (op !== 'add' && op !== 'replace' && op !== 'remove')
    throw new ScimError(400, 'op must be add, replace or remove.', 'invalidSyntax')
  const [path, value] = [parts.get('path'), parts.get('value')]
  if (path !== undefined && path !== null && path !== '') return [readPath(path)].flatMap((it) => it ?? []).map(withOp)
  if (op === 'remove') throw new ScimError(400, 'A removal needs a path.', 'noTarget')
  if (!isObject(value)) throw new ScimError(400, 'Without a path, value must have attributes.', 'invalidSyntax')
  return Object.entries(value).flatMap(([key, each]) => {
    const read = readPath(key)
    return read ? [{ ...read, op, value: each } as Change] : []
  })

  function withOp(read: Pick<Change, 'attribute' | 'filter' | 'sub'>): Change {
    return { ...read, op: op as Change['op'], value }
  }
}

function readPath(path: unknown): Pick<Change, 'attribute' | 'filter' | 'sub'> | undefined {
  if (typeof path !== 'string' || path.length > 1000) throw invalidPath('A path must be a short text.')
  const plain = path.trim().replace(CORE, '')
  if (EXTENSION.test(plain)) return undefined
  const [, attribute, filter, sub] = PATH.exec(plain) ?? []
  if (!attribute) throw invalidPath(`The path ${plain.slice(0, 80)} cannot be read.`)
  return { attribute: attribute.toLowerCase(), filter, sub: sub?.toLowerCase() }
}

/** Applies changes to a user's attributes; those that Parley doesn't store are ignored. @throws ScimError 400 */
export function patchUser(user: Attributes, changes: readonly Change[]): Attributes {
  const parts = lowerKeys(user)
  for (const { op, attribute, filter, sub, value } of changes) {
    const next = op === 'remove' ? undefined : value
    if (attribute === 'name') {
      const name = lowerKeys((parts.get('name') ?? {}) as Attributes)
      if (sub) name.set(sub, next)
      else if (op === 'remove') name.clear()
      else if (isObject(value)) for (const [key, each] of lowerKeys(value)) name.set(key, each)
      // The formatted name follows from its parts.
      if (sub !== 'formatted') name.delete('formatted')
      parts.set('name', Object.fromEntries(name))
    } else if (attribute === 'emails') {
      parts.set('emails', patchEmails(op, parts.get('emails'), { filter, sub, value }))
    } else if (['username', 'externalid', 'displayname', 'active'].includes(attribute)) {
      if (sub || filter !== undefined) throw invalidPath(`${attribute} has no parts.`)
      parts.set(attribute, next)
    }
  }
  return Object.fromEntries(parts)
}

/** Parley stores only one address, of type work. */
function patchEmails(
  op: Change['op'],
  before: unknown,
  { filter, sub, value }: Pick<Change, 'filter' | 'sub' | 'value'>,
) {
  if (op === 'remove') return before
  const isOther = filter !== undefined && /type\s+eq\s+"(?!work")/i.test(filter)
  if (isOther || (sub && sub !== 'value')) return before
  if (sub) return [{ value, type: 'work', primary: true }]
  const added = [value].flat()
  // An added address replaces the stored one if it is primary.
  return op === 'add' && !added.some((it) => isObject(it) && lowerKeys(it).get('primary') === true) ? before : added
}
