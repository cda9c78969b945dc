import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder shared by all servers on one database. */
export const dataDirOf = (databaseUrl: string) => join(tmpdir(), 'parley-data', new URL(databaseUrl).pathname)
