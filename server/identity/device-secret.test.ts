import { expect, test } from 'vitest'
import { PICTURE } from '../test/support/fixture.ts'
import { type Person, serve, startParley } from '../test/support/parley.ts'
import { DEVICE_COOKIE } from './device-secret.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')

/** The value of the device cookie that a response sets; '' if it is removed, undefined if unchanged. */
async function deviceCookie(url: string, cookie: string, method: 'GET' | 'POST' = 'GET', accept = 'text/html,*/*') {
  const origin = 'http://localhost'
  const answer = await parley.app.inject({
    method,
    url,
    headers: { cookie, origin, accept },
    ...(method === 'POST' && { payload: {} }),
  })
  const set = answer.cookies.find(({ name }) => name === DEVICE_COOKIE)
  if (set) expect(set).toMatchObject({ path: '/', sameSite: 'Lax' })
  if (set) expect(set.maxAge).toBe(set.value === '' ? 0 : 60)
  return set?.value
}

const secretOf = ({ cookie }: Person) => deviceCookie('/api/auth/get-session', cookie) as Promise<string>
const withSecret = async (person: Person) => `${person.cookie}; ${DEVICE_COOKIE}=${await secretOf(person)}`

test('a session has one device secret, which differs from every other session’s', async () => {
  expect(await secretOf(ada)).toMatch(/^[\w-]{43}$/)
  expect(await secretOf(ada)).toBe(await secretOf(ada))
  expect(await secretOf(ada)).not.toBe(await secretOf(bob))
  expect(await deviceCookie('/api/auth/get-session', '')).toBeUndefined()
})

test('each page of a live session comes with its secret; its assets and calls do not', async () => {
  const secret = await secretOf(ada)
  expect(await deviceCookie('/', ada.cookie)).toBe(secret)
  expect(await deviceCookie('/channels/any', ada.cookie)).toBe(secret)
  expect(await deviceCookie('/icon.svg', ada.cookie, 'GET', 'image/*')).toBeUndefined()
  expect(await deviceCookie('/assets/none.js', ada.cookie)).toBeUndefined()
})

test('a page replaces the secret of another session, and removes it without a session', async () => {
  const secret = await secretOf(ada)
  expect(await deviceCookie('/', `${bob.cookie}; ${DEVICE_COOKIE}=${secret}`)).toBe(await secretOf(bob))
  expect(await deviceCookie('/', '')).toBeUndefined()
  expect(await deviceCookie('/channels/any', `${DEVICE_COOKIE}=${secret}`)).toBe('')
  expect(await deviceCookie('/api/auth/get-session', `${DEVICE_COOKIE}=${secret}`)).toBe('')
})

test('once a session has ended elsewhere, the next page comes without its secret', async () => {
  const eve = await parley.person('eve')
  const cookie = await withSecret(eve)
  expect(await deviceCookie('/', cookie)).toBe(await secretOf(eve))
  await parley.app.db.deleteFrom('sessions').where('userId', '=', eve.id).execute()
  expect(await deviceCookie('/', cookie)).toBe('')
})

test('signing out removes the secret', async () => {
  const mei = await parley.person('mei')
  expect(await deviceCookie('/api/auth/sign-out', await withSecret(mei), 'POST')).toBe('')
})

test('with a session cookie from before the server moved to https, only the new one counts', async () => {
  const origin = 'https://chat.example.com'
  const { app } = await serve(parley.databaseUrl, { PUBLIC_URL: origin })
  const signIn = { method: 'POST', url: '/api/auth/sign-in/username', headers: { origin } } as const
  const payload = { username: 'ada', password: ada.password }
  const [cookie] = (await app.inject({ ...signIn, payload })).cookies
  const now = `__Secure-parley.session_token=${encodeURIComponent(cookie?.value ?? '')}`
  const { body: channel } = await ada.post('/api/channels', { name: 'moved' })
  const { body: file } = await ada.upload(channel.id, 'dot.png', PICTURE)
  for (const both of [`${ada.cookie}x; ${now}`, `${now}; ${ada.cookie}x`]) {
    expect((await app.inject({ url: file.thumbnailUrl, headers: { cookie: both } })).statusCode).toBe(200)
    const session = await app.inject({ url: '/api/auth/get-session', headers: { cookie: both } })
    const secret = session.cookies.find(({ name }) => name === DEVICE_COOKIE)?.value
    const page = await app.inject({ url: '/', headers: { cookie: both, accept: 'text/html' } })
    expect(page.cookies).toEqual([expect.objectContaining({ name: DEVICE_COOKIE, value: secret })])
  }
})
