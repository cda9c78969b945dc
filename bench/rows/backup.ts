import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { COMMAND_FLAGS } from '../../scripts/run-node.mjs'
import { loadOrCreateSecrets } from '../../server/config/secrets.ts'
import { openDatabase } from '../../server/db/database.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { type SentMessage, sendAtRate } from '../live/paced-sends.ts'
import { proportionalBytes } from '../report/process-usage.ts'
import { atMost, type Row, type Times } from '../report/row.ts'
import type { Cleanup } from '../setup/cleanup.ts'
import { createFilledChannel, type SignedUpUser, signUp } from '../setup/sign-up-people.ts'
import { startParley, temporaryFolder } from '../setup/start-parley.ts'

const MB = 1e6
const FILE_BYTES = MB
const PEOPLE = 20
const UPLOADS_AT_ONCE = 4
const SENDS_PER_SECOND = 20
const QUIET_SECONDS = 60
const SAMPLE_INTERVAL_MS = 200
const MAX_MEMORY_MB = 200

const full = { messages: 1_000_000, files: 5000 }
const quick = { messages: 60_000, files: 100 }

/** Backup, verification and restore of a large workspace, and what people who send meanwhile notice. */
export async function* measureBackup(cleanup: Cleanup, isQuick: boolean): AsyncGenerator<Row> {
  const { messages, files } = isQuick ? quick : full
  const [dataDir, place] = [await temporaryFolder(cleanup), await temporaryFolder(cleanup)]
  const postgres = await startDatabase(cleanup, dataDir)
  const { port } = await startParley(cleanup, { DATA_DIR: dataDir, DATABASE_URL: postgres.url, FILE_QUOTA: 'off' })
  const people = await signUp(port, PEOPLE)
  const { pool } = openDatabase(postgres.url, { onError: console.error, timeoutMs: 0 })
  await cleanup.add(() => pool.end())
  const ids = people.map(({ id }) => id)
  const channelId = await createFilledChannel(pool, 'history', ids, messages)
  await uploadFiles(port, people, channelId, files)
  await pool.query('vacuum analyze')

  const settings = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, BACKUP_TO: place }
  const name = (what: string) => `${what} ${messages.toLocaleString('en')} messages and ${files} MB of files`
  const senders = people.map(({ token }) => ({ token, channelId }))
  const send = (seconds: number, end?: AbortSignal) =>
    sendAtRate({ ports: () => [port], senders, run: `sends-${performance.now()}` }, SENDS_PER_SECOND, seconds, end)
  // A warm-up, in which the server's code is compiled.
  await send(QUIET_SECONDS / 4)
  const quiet = timesOf(await send(QUIET_SECONDS))
  const { used, times } = await during(send, () => runCommand('backup', settings))
  yield* usage(name('backup of'), used)
  yield {
    ...{ name: 'send during it', unit: 'ms', value: times.p95, times },
    ...{ ceiling: { name: 'p95 without a backup', value: quiet.p95, times: quiet }, ratio: quiet.p95 / times.p95 },
  }
  const { rows } = await pool.query('select pg_database_size(current_database())::float8 as bytes')
  const size = await bytesOf(place)
  const ceiling = { name: 'database and files', value: (rows[0].bytes + files * FILE_BYTES) / MB }
  yield { name: 'size of the backup', unit: 'MB', value: size / MB, ceiling }
  const next = await during(send, () => runCommand('backup', settings))
  yield* usage('the next one, without new files', next.used)
  yield { name: 'bytes that it adds', unit: 'MB', value: ((await bytesOf(place)) - size) / MB }
  yield* usage('verify-backup', await runCommand('verify-backup', settings))

  const elsewhere = await temporaryFolder(cleanup)
  const other = { DATA_DIR: elsewhere, DATABASE_URL: '', BACKUP_TO: place, ...(await secretOf(dataDir)) }
  yield* usage('restore', await runCommand('restore', other))
}

async function startDatabase(cleanup: Cleanup, dataDir: string) {
  const { database: password } = await loadOrCreateSecrets(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, password, log: console.error })
  await cleanup.add(() => postgres.stop())
  return postgres
}

const secretOf = async (dataDir: string) => ({ SECRET: (await loadOrCreateSecrets(dataDir)).identity })

/** Random bytes, which can't be compressed. */
async function uploadFiles(port: number, people: SignedUpUser[], channelId: string, count: number) {
  let left = count
  const upload = async () => {
    for (let n = left--; n > 0; n = left--) {
      const bytes = Buffer.alloc(FILE_BYTES)
      for (let at = 0; at < FILE_BYTES; at += 65_536)
        crypto.getRandomValues(bytes.subarray(at, Math.min(at + 65_536, FILE_BYTES)))
      const form = new FormData()
      form.append('channelId', channelId)
      form.append('file', new Blob([bytes]), `file-${n}.bin`)
      const { token } = people[n % people.length] as SignedUpUser
      const headers = { authorization: `Bearer ${token}` }
      const url = `http://127.0.0.1:${port}/api/files/upload`
      const answer = await fetch(url, { method: 'POST', headers, body: form })
      if (!answer.ok) throw new Error(`an upload was refused: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload))
}

interface Usage {
  seconds: number
  /** Of the command at most, without an embedded PostgreSQL that it starts; undefined without /proc. */
  bytes: number | undefined
}

const usage = (name: string, { seconds, bytes }: Usage): Row[] => [
  { name, unit: 's', value: seconds },
  ...(bytes === undefined
    ? []
    : [{ name: `memory of it at most`, unit: 'MB', value: bytes / MB, aim: atMost(MAX_MEMORY_MB, 'value') }]),
]

/** Runs one of Parley's commands. @throws Error if it fails */
async function runCommand(command: string, settings: Record<string, string>): Promise<Usage> {
  const env = { ...process.env, ...settings }
  const startedAt = performance.now()
  const child: ChildProcess = spawn(process.execPath, [...COMMAND_FLAGS, `scripts/backup/${command}.ts`], {
    env,
    stdio: 'inherit',
  })
  let bytes: number | undefined
  const timer = setInterval(() => {
    const now = proportionalBytes([child.pid as number])
    if (now !== undefined) bytes = Math.max(bytes ?? 0, now)
  }, SAMPLE_INTERVAL_MS)
  const [code] = await once(child, 'exit').finally(() => clearInterval(timer))
  if (code !== 0) throw new Error(`${command} failed`)
  return { seconds: (performance.now() - startedAt) / 1000, bytes }
}

async function during(send: (seconds: number, end: AbortSignal) => Promise<SentMessage[]>, act: () => Promise<Usage>) {
  const end = new AbortController()
  const sending = send(24 * 3600, end.signal)
  const used = await act().finally(() => end.abort())
  return { used, times: timesOf(await sending) }
}

/** From when a send was due until it was acknowledged. */
function timesOf(sent: SentMessage[]): Times {
  const times = sent.map(({ dueAt, answeredAt }) => answeredAt - dueAt).toSorted((a, b) => a - b)
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

async function bytesOf(folder: string) {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}
