import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../server/db/database.ts'
import { startEmbeddedPostgres } from '../../server/db/embedded-postgres.ts'
import { keepSecrets } from '../../server/secrets.ts'
import { makeFilled, signUp } from '../cast.ts'
import type { Place } from './profile.ts'

const LARGE = 100_000
const CHANNELS = 25

/** A Parley of its own with 25 channels, one of them with 100,000 messages, all of which its reader has read. */
export async function openHouse() {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let last = closing.pop(); last; last = closing.pop()) await last()
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
    closing.push(() => rm(dataDir, { recursive: true, force: true }))
    const { database: password } = await keepSecrets(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir, password, log: console.log })
    closing.push(() => postgres.stop())
    const { port, stop } = await startServer({ DATA_DIR: dataDir, DATABASE_URL: postgres.url })
    closing.push(stop)
    const database = openDatabase(postgres.url, { onError: console.error, patience: 0 })
    closing.push(() => database.db.destroy())

    const people = await signUp(port, 10)
    const ids = people.map(({ id }) => id)
    const channels: string[] = []
    for (let n = 0; n < CHANNELS; n++)
      channels.push(await makeFilled(database.pool, `place-${n}`, ids, n === 0 ? LARGE : 300))
    await database.pool.query('vacuum analyze messages')
    const address = `http://127.0.0.1:${port}`
    const [reader, ...speakers] = people.map(({ token }) => token)
    const headers = { authorization: `Bearer ${reader}` }
    const read = await fetch(`${address}/api/channels/read`, { method: 'PUT', headers })
    if (!read.ok) throw new Error(`Nothing could be read: ${read.status}`)
    const place: Place = { address, channels, reader: 'speaker-1', speakers }
    return { place, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startServer(settings: Record<string, string>) {
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      ...process.env,
      PUBLIC_URL: '',
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    const gone = server.exitCode === null && once(server, 'exit')
    server.kill('SIGTERM')
    await gone
  }
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /ready: http:\/\/localhost:(\d+)/.exec(line)?.[1]
    if (!port) continue
    server.stdout.resume()
    return { port: Number(port), stop }
  }
  throw new Error('Parley did not start')
}
