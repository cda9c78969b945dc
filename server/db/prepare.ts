import { type Compilable, sql } from 'kysely'
import pg from 'pg'
import type { Database, Db } from './database.ts'

/** PostgreSQL types of values, and their JavaScript types. */
interface Types {
  uuid: string
  text: string
  bigint: number
}
type ValuesOf<Names> = { [Name in keyof Names]: Names[Name] extends keyof Types ? Types[Names[Name]] : never }

/** Returns the placeholder of a value while a query is built, with the value's type. */
export type ValueOf<Names> = <Name extends keyof Names>(name: Name) => ValuesOf<Names>[Name]

class Slot {
  readonly name: string
  constructor(name: unknown) {
    this.name = String(name)
  }
}

/**
 * A query for frequent reads, built once per process, and parsed and planned once per connection. For a page of channels, that
 * takes longer than executing it.
 * @param name unique, because the connection caches the statement under it
 * @param types of the values, by name
 * @param build receives placeholders, never the values themselves
 * @returns a function that runs the query
 */
export function prepare<Names extends Record<string, keyof Types>, Row>(
  { db, pool }: Database,
  name: string,
  types: Names,
  build: (db: Db, value: ValueOf<Names>) => Compilable<Row>,
) {
  // A subquery hides the value from the planner. Otherwise it would replan the statement each time, because a known `limit`
  // promises less work than a guessed one.
  const hidden: ValueOf<Names> = (name) => sql`(select ${new Slot(name)}::${sql.raw(types[name] as string)})` as never
  const { sql: draft, parameters } = build(db, hidden).compile()
  const names = [...new Set(parameters.flatMap((it) => (it instanceof Slot ? [it.name] : [])))]
  const text = draft.replace(/\$(\d+)/g, (_, number) => {
    const parameter = parameters[number - 1]
    // Other parameters are constants, which determine whether a partial index applies.
    return parameter instanceof Slot ? `$${names.indexOf(parameter.name) + 1}` : literal(parameter)
  })
  return async (values: ValuesOf<Names>): Promise<Row[]> => {
    const { rows } = await pool.query({ name, text, values: names.map((it) => values[it as keyof Names]) })
    return rows as Row[]
  }
}

function literal(value: unknown): string {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number') return String(value)
  throw new Error(`${value} cannot be a constant of a prepared statement`)
}
