import { createServer } from 'node:net'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { connectionProblem } from './connection-problem.ts'
import { isUnavailable, openDatabase } from './database.ts'

// What the database does with a query that timed out here.

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

test('a query that timed out is cancelled in the database too', async () => {
  const pool = open()
  const error = await pool.query("select pg_sleep(600), 'given up'").catch((it) => it)
  expect(isUnavailable(error)).toBe(true)
  await expect.poll(() => running('given up')).toBe(0)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test.each(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE'])(
  'a database behind %s is unavailable while Parley runs, and a wrong address at the start',
  (code) => {
    const error = Object.assign(new Error(code), { code, syscall: 'connect' })
    expect(isUnavailable(error)).toBe(true)
    expect(connectionProblem(error, 10)?.message).toContain(code)
  },
)

test('a database that hangs up before the TLS handshake is unavailable', async () => {
  const server = createServer((socket) => {
    // 'S': go on with TLS.
    socket.once('data', () => socket.write('S')).on('error', () => {})
    socket.on('data', (data) => data[0] === 0x16 && socket.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => void server.close())
  const { port } = server.address() as { port: number }
  const client = new pg.Client(`postgres://nobody@127.0.0.1:${port}/none?sslmode=no-verify`)
  client.on('error', () => {})
  const error = await client.connect().catch((it) => it)
  expect(error).toMatchObject({ code: 'ECONNRESET' })
  expect(isUnavailable(error)).toBe(true)
})

test('a client that hangs up is not taken for the database', async () => {
  const hungUp = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  expect(isUnavailable(hungUp)).toBe(false)
  const { pool } = openDatabase('postgres://nobody@localhost:1/none', { onError: () => {} })
  ends.push(() => pool.end())
  expect(isUnavailable(await pool.query('select 1').catch((it) => it))).toBe(true)
})

test('a statement that breaks the protocol is a fault of ours: it would break it again', async () => {
  // More values than the protocol can count.
  const values = new Array(65_536).fill(1)
  const error = await open()
    .query('select $1::int', values)
    .catch((it) => it)
  expect(error).toMatchObject({ code: '08P01' })
  expect(isUnavailable(error)).toBe(false)
  // A pooler in front of the database has no other code for all that happens to it.
  const fromPooler = Object.assign(new Error('server login failed'), { code: '08P01' })
  expect(isUnavailable(fromPooler)).toBe(true)
})

test('an idle transaction is ended, except on connections without a time limit', async () => {
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
