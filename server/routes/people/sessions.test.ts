import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import type { Session } from '#contract/sessions'
import { listen, type Person, serve, startParley } from '../../test/support/parley.ts'
import { deviceOf } from '../../text/device-name.ts'

const parley = await startParley()
const { ada, eve } = await parley.people('ada', 'eve')

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Signs a user in on another device; returns its token and session. */
async function device({ email, password }: Person, userAgent = FIREFOX) {
  const answer = await parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password },
    headers: { origin: 'http://localhost', 'user-agent': userAgent },
  })
  const cookie = answer.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  const { token } = (await parley.app.inject({ url: '/api/auth/token', headers: { cookie } })).json()
  return { token: token as string, cookie, id: decodeJwt(token)['sid'] as string }
}

const statusOf = async (token: string) =>
  (await parley.app.inject({ url: '/api/channels', headers: { authorization: `Bearer ${token}` } })).statusCode
const listed = async (person: Person): Promise<Session[]> => (await person.get('/api/sessions')).body

test('the list has one’s own devices, with this one first, and no one else’s', async () => {
  const phone = await device(ada)
  await device(eve)
  const sessions = await listed(ada)
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false])
  expect(sessions[1]).toEqual({
    id: phone.id,
    isCurrent: false,
    device: 'Firefox on Linux',
    browser: 'Firefox',
    system: 'Linux',
    isApp: false,
    isNew: true,
    ipAddress: '127.0.0.1',
    createdAt: expect.stringMatching(/Z$/),
    lastUsedAt: expect.stringMatching(/Z$/),
  })
  expect(JSON.stringify(sessions)).not.toContain('token')
})

test('the last use of a device is recorded, even if it only listens', async () => {
  const bob = await parley.person('bob')
  const [quiet, listening] = [await device(bob), await device(bob)]
  const { socket } = await listen(parley.address, listening.token)
  await parley.app.db
    .updateTable('sessions')
    .set({ lastUsedAt: '2020-01-01T00:00:00Z' })
    .where('userId', '=', bob.id)
    .execute()
  await bob.get('/api/channels')
  // Stored when the server stops, otherwise once a minute.
  const other = await serve(parley.databaseUrl)
  const { socket: elsewhere } = await listen(other.address, listening.token)
  await other.app.close()
  const used = (await listed(bob)).filter(({ lastUsedAt }) => !lastUsedAt.startsWith('2020'))
  expect(used.map(({ id }) => id)).toEqual([listening.id])
  expect(used.map(({ id }) => id)).not.toContain(quiet.id)
  socket.close()
  elsewhere.close()
})

test('ending a session takes effect on every node; the others continue', async () => {
  const zoe = await parley.person('zoe')
  const other = await serve(parley.databaseUrl)
  const [lost, kept] = [await device(zoe), await device(zoe)]
  const here = await listen(parley.address, lost.token)
  const there = await listen(other.address, lost.token)
  const stays = await listen(other.address, kept.token)
  expect((await zoe.delete(`/api/sessions/${lost.id}`)).status).toBe(204)
  await expect.poll(() => [here, there, stays].map(({ socket }) => socket.connected)).toEqual([false, false, true])
  expect(await statusOf(lost.token)).toBe(401)
  expect((await parley.app.inject({ url: '/api/auth/token', headers: { cookie: lost.cookie } })).statusCode).toBe(401)
  await expect(listen(other.address, lost.token)).rejects.toThrow('unauthenticated')
  expect(await statusOf(kept.token)).toBe(200)
  expect((await zoe.delete(`/api/sessions/${lost.id}`)).status).toBe(404)
})

test('nobody can end another user’s session', async () => {
  const own = await device(ada)
  expect(await eve.delete(`/api/sessions/${own.id}`)).toMatchObject({ status: 404, code: 'not_found' })
  await eve.delete('/api/sessions?except=current')
  // Once this node has noticed a session that another node ended later, it has noticed all earlier ones.
  const [last, other] = [await device(eve), await serve(parley.databaseUrl)]
  const ended = await other.app.inject({
    method: 'DELETE',
    url: `/api/sessions/${last.id}`,
    headers: { authorization: `Bearer ${eve.token}` },
  })
  expect(ended.statusCode).toBe(204)
  await expect.poll(() => statusOf(last.token)).toBe(401)
  expect(await statusOf(own.token)).toBe(200)
  expect(await statusOf(eve.token)).toBe(200)
})

test('ending all other sessions, or all sessions', async () => {
  const kim = await parley.person('kim')
  const others = [await device(kim), await device(kim)]
  expect((await kim.delete('/api/sessions?except=current')).status).toBe(204)
  await expect.poll(() => Promise.all(others.map(({ token }) => statusOf(token)))).toEqual([401, 401])
  expect((await listed(kim)).length).toBe(1)
  const again = await device(kim)
  expect((await kim.delete('/api/sessions')).status).toBe(204)
  await expect.poll(() => Promise.all([again.token, kim.token].map(statusOf))).toEqual([401, 401])
})

test('a user has at most fifty sessions; the oldest ends first', async () => {
  const max = await parley.person('max')
  const row = { userId: max.id, expiresAt: '2099-01-01', createdAt: '2021-01-01' }
  const old = Array.from({ length: 60 }, (_, n) => ({ ...row, id: `old-${n}`, token: `old-${n}` }))
  await parley.app.db.insertInto('sessions').values(old).execute()
  const fresh = await device(max)
  const left = await parley.app.db.selectFrom('sessions').select('id').where('userId', '=', max.id).execute()
  expect(left).toHaveLength(50)
  expect(left.map(({ id }) => id)).toContain(fresh.id)
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [FIREFOX, 'Firefox on Linux'],
  ['parley-bot/1.2', 'Unknown app'],
  ['node', 'Unknown app'],
  ['lightMyRequest', 'Unknown app'],
  ['<script>alert(1)</script>', 'Unknown app'],
  [null, 'Unknown device'],
])('%s is %s', (userAgent, device) => expect(deviceOf(userAgent).device).toBe(device))

test('only the start of a user agent is parsed', () => {
  expect(deviceOf(`${FIREFOX} ${'x'.repeat(20_000)}`).device).toBe('Firefox on Linux')
  expect(deviceOf(`${'Version/'.repeat(2000)} ${FIREFOX}`).device).toBe('Unknown app')
})
