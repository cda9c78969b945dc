import { type Compilable, sql } from 'kysely'
import pg from 'pg'
import type { Database, Db } from './database.ts'

/** PostgreSQL's types of values, and how they are passed. */
interface Types {
  uuid: string
  text: string
  bigint: number
}
type ValuesOf<Names> = { [Name in keyof Names]: Names[Name] extends keyof Types ? Types[Names[Name]] : never }

/** Returns what stands for a value while a query is built, typed as the value. */
export type ValueOf<Names> = <Name extends keyof Names>(name: Name) => ValuesOf<Names>[Name]

class Slot {
  readonly name: string
  constructor(name: unknown) {
    this.name = String(name)
  }
}

/**
 * A query for frequent reads, built once per process, and parsed and planned once per connection: for a page of channels
 * all that takes longer than running it.
 * @param name the connection knows the statement by it, so it is unique
 * @param types of the values, by name
 * @param build sees what stands for a value, never the value itself
 * @returns runs the query
 */
export function prepare<Names extends Record<string, keyof Types>, Row>(
  { db, pool }: Database,
  name: string,
  types: Names,
  build: (db: Db, value: ValueOf<Names>) => Compilable<Row>,
) {
  // In a query of its own, a value is hidden from the planner. Otherwise it would plan the statement anew each time,
  // because a `limit` that it sees promises less work than one that it guesses.
  const hidden: ValueOf<Names> = (name) => sql`(select ${new Slot(name)}::${sql.raw(types[name] as string)})` as never
  const { sql: draft, parameters } = build(db, hidden).compile()
  const names = [...new Set(parameters.flatMap((it) => (it instanceof Slot ? [it.name] : [])))]
  const text = draft.replace(/\$(\d+)/g, (_, number) => {
    const parameter = parameters[number - 1]
    // Other parameters are constants, which decide whether a partial index fits.
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
