import { expect, test } from 'vitest'
import { signUpByCall, startParley } from './parley.ts'

const parley = await startParley()
await parley.people('ada')

/** What differs between people, such as the hash's random salt, and the times. */
const OWN =
  /^(id|userId|accountId|actorId|personId|name|username|displayUsername|email|usernameLook|nameLook|color|token|password|deviceHash|changedBy|readVersion|.*At|at)$/

async function readRows(userId: string, { pool } = parley.app) {
  const { rows: tables } = await pool.query<{ table: string; column: string }>(`
    select table_name as table, column_name as column from information_schema.columns natural join information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('uuid', 'text')
      and (column_name in ('userId', 'actorId', 'personId') or (table_name = 'users' and column_name = 'id'))
    order by 1, 2`)
  const found: Record<string, object[]> = {}
  for (const { table, column } of tables) {
    const { rows } = await pool.query(`select * from "${table}" where "${column}"::text = $1 order by 1`, [userId])
    const shared = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, OWN.test(key) && value !== null ? typeof value : value]),
      ),
    )
    if (rows.length > 0) found[`${table}.${column}`] = shared
  }
  return found
}

test('a person whom a test stores has the rows and rights of one who signed up', async () => {
  const bob = await parley.person('bob')
  const identity = { name: 'Eve', username: 'eve', email: 'eve@example.com', password: bob.password }
  const eve = await signUpByCall(parley.app, identity)
  const rows = await readRows(eve.id)
  expect(Object.keys(rows).length).toBeGreaterThan(5)
  expect(await readRows(bob.id)).toEqual(rows)
})

test('so has the owner', async () => {
  const other = await startParley()
  const { ada } = await other.people('ada')
  const third = await startParley()
  const identity = { name: 'Ada', username: 'ada', email: 'ada@example.com', password: ada.password }
  const signedUp = await signUpByCall(third.app, identity)
  expect(await readRows(ada.id, other.app)).toEqual(await readRows(signedUp.id, third.app))
})

test('their session is one of the server', async () => {
  const zoe = await parley.person('zoe')
  const { app } = parley
  const session = await app.inject({ url: '/api/auth/get-session', headers: { cookie: zoe.cookie } })
  expect(session.json().user).toMatchObject({ id: zoe.id, role: 'member' })
  const renewed = await app.inject({ url: '/api/auth/token', headers: { cookie: zoe.cookie } })
  const parts = (token: string) =>
    token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString())
      .slice(0, 2)
  const withoutExpiry = (text: string | undefined) =>
    JSON.parse(text ?? '', (key, value) => (key === 'exp' ? 0 : value))
  expect(parts(zoe.token).map(withoutExpiry)).toEqual(parts(renewed.json().token).map(withoutExpiry))
  const payload = { username: 'zoe', password: zoe.password }
  expect((await app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })).statusCode).toBe(200)
  expect((await zoe.get('/api/channels')).status).toBe(200)
})
