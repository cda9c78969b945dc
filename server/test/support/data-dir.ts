import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder of all servers on one database. */
export const dataDirOf = (databaseUrl: string) => join(tmpdir(), 'parley-data', new URL(databaseUrl).pathname)
