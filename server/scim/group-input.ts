import { type Filter, filter as matcherOf, parse } from 'scim2-parse-filter'
import { isObject, lowerKeys, textOf } from './attributes.ts'
import type { Change } from './patch.ts'
import { invalidPath, invalidValue, ScimError } from './scim-error.ts'

/** People in a group managed by a directory. */
const MAX_MEMBERS = 5000

/** A group as sent by a directory. */
export interface GroupInput {
  displayName: string
  externalId: string | undefined
  /** Ids of people. */
  members: ReadonlySet<string>
}

/** A member, as matched by the filters of paths. */
export interface Member {
  value: string
  display: string
  type: 'User'
}

/** Reads a group; other attributes are ignored. @throws ScimError 400 */
export function readGroupInput(body: unknown): GroupInput {
  if (!isObject(body)) throw invalidValue('The body must be a group.')
  const parts = lowerKeys(body)
  return {
    displayName: nameOf(parts.get('displayname')),
    externalId: textOf('externalId', parts.get('externalid')),
    members: new Set(idsOf(parts.get('members'))),
  }
}

function nameOf(value: unknown): string {
  const name = textOf('displayName', value)
  if (!name) throw invalidValue('displayName is required.')
  return name
}

/** The ids of members, who must be people: directories can't nest groups. */
function idsOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const all = [value].flat()
  if (all.length > MAX_MEMBERS) throw invalidValue(`A group has at most ${MAX_MEMBERS} members.`)
  return all.map((member) => {
    const parts = isObject(member) ? lowerKeys(member) : new Map<string, unknown>()
    const id = textOf('members.value', parts.get('value'))
    if (!id) throw invalidValue('Each member needs a value, the id of a person.')
    const type = parts.get('type')
    if (type !== undefined && type !== null && String(type).toLowerCase() !== 'user')
      throw invalidValue('Members are people: type must be User.')
    return id
  })
}

/** Applies changes to a group; attributes that Parley doesn't store are ignored. @throws ScimError 400 */
export function patchGroup(
  { displayName, externalId, members }: Pick<GroupInput, 'displayName' | 'externalId'> & { members: readonly Member[] },
  changes: readonly Change[],
): GroupInput {
  const known = new Map(members.map((member) => [member.value, member]))
  const patched = { displayName, externalId, members: new Set(known.keys()) }
  for (const { op, attribute, filter, sub, value } of changes) {
    if (attribute === 'members') patchMembers(patched.members, known, { op, filter, sub, value })
    else if (attribute === 'displayname' || attribute === 'externalid') {
      if (sub || filter !== undefined) throw invalidPath(`${attribute} has no parts.`)
      const next = op === 'remove' ? undefined : value
      if (attribute === 'displayname') patched.displayName = nameOf(next)
      else patched.externalId = textOf('externalId', next)
    }
  }
  if (patched.members.size > MAX_MEMBERS) throw invalidValue(`A group has at most ${MAX_MEMBERS} members.`)
  return patched
}

function patchMembers(
  ids: Set<string>,
  known: ReadonlyMap<string, Member>,
  { op, filter, sub, value }: Pick<Change, 'op' | 'filter' | 'sub' | 'value'>,
) {
  // Such as `members[…].display`, which only the person can change.
  if (sub) throw invalidPath('The parts of a member cannot be changed.')
  if (filter !== undefined) {
    if (op !== 'remove') throw invalidPath('Members are added and replaced without a filter.')
    const isMeant = readMatcher(filter)
    for (const value of ids) if (isMeant(known.get(value) ?? { value, display: '', type: 'User' })) ids.delete(value)
    return
  }
  // Entra ID lists the members to remove in the value.
  const isAll = op === 'replace' || (op === 'remove' && (value === undefined || value === null))
  if (isAll) ids.clear()
  for (const id of idsOf(value)) {
    if (op === 'remove') ids.delete(id)
    else ids.add(id)
  }
}

const MAX_FILTER_CHARACTERS = 1000
const unreadable = () => new ScimError(400, 'The filter of the path cannot be read.', 'invalidFilter')

/** Compiles a filter of a path to a predicate on members, the only attribute that takes one. */
function readMatcher(text: string): (member: Member) => boolean {
  if (text.length > MAX_FILTER_CHARACTERS) throw unreadable()
  let parsed: Filter
  try {
    parsed = parse(text)
  } catch {
    throw unreadable()
  }
  const matches = matcherOf(readable(parsed))
  return (member) => matches({ ...member, display: member.display.toLowerCase(), type: member.type.toLowerCase() })
}

const KNOWN = ['value', 'display', 'type']

/** Lowercases the filter's names and values, except ids, which are case-sensitive. Rejects other attributes than a member's. */
function readable(filter: Filter, depth = 0): Filter {
  const inner = (each: Filter) => readable(each, depth + 1)
  if (depth > 20) throw unreadable()
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(inner) }
  if (filter.op === 'not' && 'filter' in filter) return { ...filter, filter: inner(filter.filter) }
  if (!('attrPath' in filter) || 'valFilter' in filter) throw unreadable()
  const attrPath = filter.attrPath.toLowerCase()
  if (!KNOWN.includes(attrPath)) throw unreadable()
  if (!('compValue' in filter) || attrPath === 'value' || typeof filter.compValue !== 'string') return filter
  return { ...filter, compValue: filter.compValue.toLowerCase() }
}
