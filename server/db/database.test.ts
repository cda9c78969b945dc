import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { connectionProblem } from './connection-problem.ts'
import { databaseFailure, openDatabase } from './database.ts'

// Timeouts and failures of database queries.

const ends: (() => Promise<void>)[] = []
afterAll(async () => void (await Promise.all(ends.map((end) => end()))))

function open(timeoutMs?: number) {
  const { db, pool } = openDatabase(inject('postgresUrl'), {
    onError: () => {},
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  ends.push(() => db.destroy())
  return pool
}

async function running(mark: string) {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int as n from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()`,
    [`%${mark}%`],
  )
  await client.end()
  return rows[0].n as number
}

const isUnavailable = (error: unknown) => databaseFailure(error)?.status === 503

test('a query that timed out is also cancelled in the database', async () => {
  const pool = open()
  const error = await pool.query("select pg_sleep(600), 'given up'").catch((it) => it)
  expect(isUnavailable(error)).toBe(true)
  await expect.poll(() => running('given up')).toBe(0)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.each(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'])(
  'a start that fails with %s names the code',
  (code) => expect(connectionProblem(Object.assign(new Error(code), { code }), 10)?.message).toContain(code),
)

/** Returns the error of a query through a pool. */
async function failOver(url: string) {
  const { pool } = openDatabase(url, { onError: () => {} })
  ends.push(() => pool.end())
  return pool.query('select 1').catch((it) => it)
}

test.each([
  ['refuses connections', 'postgres://nobody@127.0.0.1:1/none', /ECONNREFUSED/],
  ['refuses them on each of its addresses', 'postgres://nobody@localhost:1/none', /ECONNREFUSED/],
  ['is not found', 'postgres://nobody@no-such-host.invalid/none', /ENOTFOUND|EAI_AGAIN/],
])('a database that %s is unavailable', async (_, url, code) => {
  const error = await failOver(url)
  expect(error.code).toMatch(code)
  expect(isUnavailable(error)).toBe(true)
  // Kysely acquires connections differently.
  const { db } = openDatabase(url, { onError: () => {} })
  ends.push(() => db.destroy())
  expect(isUnavailable(await sql`select 1`.execute(db).catch((it) => it))).toBe(true)
})

test('another unreachable service is not mistaken for the database', async () => {
  const socket = connect(1, '127.0.0.1')
  const [error] = await once(socket, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' })
  expect(isUnavailable(error)).toBe(false)
})

test('a database that hangs up before the TLS handshake is unavailable', async () => {
  const server = createServer((socket) => {
    // 'S': continue with TLS.
    socket.once('data', () => socket.write('S')).on('error', () => {})
    socket.on('data', (data) => data[0] === 0x16 && socket.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => void server.close())
  const { port } = server.address() as { port: number }
  const error = await failOver(`postgres://nobody@127.0.0.1:${port}/none?sslmode=no-verify`)
  expect(error).toMatchObject({ code: 'ECONNRESET' })
  expect(isUnavailable(error)).toBe(true)
})

test('a client that hangs up is not mistaken for the database', async () => {
  const hungUp = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  expect(isUnavailable(hungUp)).toBe(false)
})

test('a full disk counts as neither unavailable nor our own fault', async () => {
  let noted = 0
  const { db, pool } = openDatabase(inject('postgresUrl'), { onError: () => {}, onDiskFull: () => noted++ })
  ends.push(() => db.destroy())
  const fill = `do $$ begin raise exception 'could not extend file "base/1/2"' using errcode = 'disk_full'; end $$`
  for (const run of [() => pool.query(fill), () => sql.raw(fill).execute(db)]) {
    const error = await run().catch((it) => it)
    expect(isUnavailable(error)).toBe(false)
    expect(databaseFailure(error)).toMatchObject({ status: 507, code: 'storage_full' })
  }
  expect(noted).toBe(2)
})

test('a statement that violates the protocol is our own fault, as a retry would fail again', async () => {
  // More values than the protocol can count.
  const values = new Array(65_536).fill(1)
  const error = await open()
    .query('select $1::int', values)
    .catch((it) => it)
  expect(error).toMatchObject({ code: '08P01' })
  expect(isUnavailable(error)).toBe(false)
  // A pooler in front of the database reports all its problems with this code.
  const fromPooler = Object.assign(new Error('server login failed'), { code: '08P01' })
  expect(isUnavailable(fromPooler)).toBe(true)
})

test('an idle transaction is terminated, except on connections without a timeout', async () => {
  const settings = async (pool: pg.Pool) => {
    const names = ['statement_timeout', 'idle_in_transaction_session_timeout', 'TimeZone']
    const { rows } = await pool.query(`select ${names.map((name) => `current_setting('${name}') as "${name}"`).join()}`)
    return rows[0]
  }
  expect(await settings(open())).toEqual({
    statement_timeout: '3500ms',
    idle_in_transaction_session_timeout: '10s',
    TimeZone: 'UTC',
  })
  expect(await settings(open(0))).toEqual({
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    TimeZone: 'UTC',
  })
})
