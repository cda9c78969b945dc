import { type Expression, type SqlBool, sql } from 'kysely'
import { type Filter, parse } from 'scim2-parse-filter'
import { ScimError } from './scim-error.ts'

/** An attribute in the database. `exact` is case-sensitive; a `set` is a query for its values. */
export interface Column {
  value: Expression<unknown>
  kind: 'text' | 'exact' | 'boolean' | 'time' | 'set'
}
/** By the attribute's lower-case name. */
export type Columns = Record<string, Column>

const MAX_CHARACTERS = 1000
const MAX_DEPTH = 20
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i
const unreadable = (why: string) => new ScimError(400, `The filter cannot be read: ${why}`, 'invalidFilter')

/** Converts a filter (RFC 7644, 3.4.2.2) to an SQL condition. @throws ScimError 400 */
export function readFilter(filter: string, columns: Columns): Expression<SqlBool> {
  if (filter.length > MAX_CHARACTERS) throw unreadable(`it has more than ${MAX_CHARACTERS} characters.`)
  let parsed: Filter
  try {
    parsed = parse(filter)
  } catch (error) {
    throw unreadable(String((error as Error).message).slice(0, 200))
  }
  return conditionOf(parsed, columns, '', 0)
}

function conditionOf(filter: Filter, columns: Columns, prefix: string, depth: number): Expression<SqlBool> {
  if (depth > MAX_DEPTH) throw unreadable('it is nested too deep.')
  const inner = (each: Filter) => conditionOf(each, columns, prefix, depth + 1)
  if ('filters' in filter) return sql`(${sql.join(filter.filters.map(inner), sql.raw(` ${filter.op} `))})`
  if (filter.op === 'not' && 'filter' in filter) return sql`not coalesce(${inner(filter.filter)}, false)`
  if ('valFilter' in filter) return conditionOf(filter.valFilter, columns, `${filter.attrPath}.`, depth + 1)
  if (!('attrPath' in filter)) throw unreadable('it compares nothing.')
  const path = `${prefix}${filter.attrPath}`.replace(CORE, '')
  const name = path.toLowerCase()
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  if (!column) throw unreadable(`${path.slice(0, 80)} cannot be filtered.`)
  if (column.kind === 'set' && !('compValue' in filter)) return sql`exists (${column.value})`
  return 'compValue' in filter ? compare(column, filter.op, filter.compValue) : sql`(${column.value}) is not null`
}

const ORDER = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const

function compare({ value, kind }: Column, op: string, given: unknown): Expression<SqlBool> {
  if (kind === 'set') {
    if (op !== 'eq' || typeof given !== 'string' || /\0/.test(given) || !given.isWellFormed())
      throw unreadable('members are compared with eq and a text.')
    return sql`${given} in (${value})`
  }
  if (given === null) return op === 'eq' ? sql`(${value}) is null` : sql`(${value}) is not null`
  if (kind === 'boolean') {
    const wanted = String(given).toLowerCase()
    if ((op !== 'eq' && op !== 'ne') || !/^(true|false)$/.test(wanted)) throw unreadable('true or false is expected.')
    return sql`(${value}) = ${(wanted === 'true') === (op === 'eq')}`
  }
  if (typeof given !== 'string' || /\0/.test(given) || !given.isWellFormed()) throw unreadable('a text is expected.')
  if (kind === 'time') {
    const time = Date.parse(given)
    if (Number.isNaN(time)) throw unreadable(`${given.slice(0, 40)} is no time.`)
    const sign = op === 'eq' ? '=' : op === 'ne' ? '<>' : ORDER[op as keyof typeof ORDER]
    if (!sign) throw unreadable('a time is compared with eq, ne, gt, ge, lt or le.')
    return sql`(${value}) ${sql.raw(sign)} ${new Date(time).toISOString()}::timestamptz`
  }
  const [held, wanted] = kind === 'exact' ? [sql`(${value})`, given] : [sql`lower(${value})`, given.toLowerCase()]
  switch (op) {
    case 'eq':
      return sql`${held} = ${wanted}`
    case 'ne':
      return sql`${held} is distinct from ${wanted}`
    case 'co':
      return sql`position(${wanted} in ${held}) > 0`
    case 'sw':
      return sql`starts_with(${held}, ${wanted})`
    case 'ew':
      return sql`right(${held}, length(${wanted})) = ${wanted}`
    default:
      return sql`${held} ${sql.raw(ORDER[op as keyof typeof ORDER])} ${wanted}`
  }
}
