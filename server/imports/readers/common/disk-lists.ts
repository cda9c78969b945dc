import type { StatementSync } from 'node:sqlite'
import { MAX_PEOPLE } from '../../archive/bounds.ts'
import { openTemporaryFiles, type TemporaryFiles } from '../../archive/temporary-files.ts'

/** The most values of one key that are read: as many as people may react to a message. An archive may contain any number. */
const MOST_VALUES = MAX_PEOPLE

const TABLES = `
  create table lists (id integer primary key, name text not null, key text not null, value text not null) strict;
  create unique index lists_by_key on lists (name, key, id);
  create table sorted (id integer primary key, name text not null, place real not null, value text not null) strict;
  create index sorted_by_place on sorted (name, place, id)`

/**
 * What to remember of an archive while it is read, on disk: lists of values by key, and lists to be sorted. Each has a name, and
 * values are what JSON can express.
 */
export class DiskLists {
  readonly #files: TemporaryFiles
  readonly #add: StatementSync
  readonly #newest: StatementSync
  readonly #addSorted: StatementSync

  private constructor(files: TemporaryFiles) {
    this.#files = files
    const { database } = files
    this.#add = database.prepare('insert into lists (name, key, value) values (?, ?, ?)')
    this.#newest = database.prepare('select value from lists where name = ? and key = ? order by id desc limit ?')
    this.#addSorted = database.prepare('insert into sorted (name, place, value) values (?, ?, ?)')
  }

  static open = async () => new DiskLists(await openTemporaryFiles(TABLES))

  add(name: string, key: string, value: unknown) {
    this.#add.run(name, key, JSON.stringify(value))
  }

  /** Adds a key without a value. Returns whether it is new. */
  addNew(name: string, key: string): boolean {
    if (this.has(name, key)) return false
    this.add(name, key, null)
    return true
  }

  has = (name: string, key: string) => this.#newest.get(name, key, 1) !== undefined

  /** The last value that was added. */
  last<Value>(name: string, key: string): Value | undefined {
    const row = this.#newest.get(name, key, 1)
    return row && JSON.parse(String(row['value']))
  }

  /** The last values, in the order in which they were added. */
  all<Value>(name: string, key: string, most = MOST_VALUES): Value[] {
    const rows = this.#newest.all(name, key, most).reverse()
    return rows.map((row) => JSON.parse(String(row['value'])))
  }

  addSorted(name: string, place: number, value: unknown) {
    this.#addSorted.run(name, place, JSON.stringify(value))
  }

  /** The values in the order of their places, then as they were added. */
  *sorted<Value>(name: string): Generator<Value> {
    const inOrder = this.#files.database.prepare('select value from sorted where name = ? order by place, id')
    inOrder.setReturnArrays(true)
    for (const [value] of inOrder.iterate(name) as Iterable<unknown[]>) yield JSON.parse(String(value))
  }

  close = () => this.#files.close()
}
