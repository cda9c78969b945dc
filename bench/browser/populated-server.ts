import { loadOrCreateSecrets } from '../../server/config/secrets.ts'
import { openDatabase } from '../../server/db/database.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import type { Cleanup } from '../setup/cleanup.ts'
import { createFilledChannel, signUp } from '../setup/sign-up-people.ts'
import { startParley, temporaryFolder } from '../setup/start-parley.ts'
import type { PopulatedServer } from './profile.ts'

const LARGE = 100_000
const CHANNELS = 25

/** A separate server with 25 channels, one of them with 100,000 messages that its reader has read. */
export async function openPopulatedServer(cleanup: Cleanup): Promise<PopulatedServer> {
  const dataDir = await temporaryFolder(cleanup)
  const { database: password } = await loadOrCreateSecrets(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, password, log: console.log })
  await cleanup.add(() => postgres.stop())
  const { port } = await startParley(cleanup, { DATA_DIR: dataDir, DATABASE_URL: postgres.url })
  const { db, pool } = openDatabase(postgres.url, { onError: console.error, timeoutMs: 0 })
  await cleanup.add(() => db.destroy())

  const people = await signUp(port, 10)
  const ids = people.map(({ id }) => id)
  const channels: string[] = []
  for (let n = 0; n < CHANNELS; n++)
    channels.push(await createFilledChannel(pool, `place-${n}`, ids, n === 0 ? LARGE : 300))
  await pool.query('vacuum analyze messages')
  const address = `http://127.0.0.1:${port}`
  const [reader, ...speakers] = people.map(({ token }) => token)
  const headers = { authorization: `Bearer ${reader}` }
  const read = await fetch(`${address}/api/channels/read`, { method: 'PUT', headers })
  if (!read.ok) throw new Error(`Nothing could be read: ${read.status}`)
  return { address, channels, reader: 'speaker-1', speakers, pool }
}
