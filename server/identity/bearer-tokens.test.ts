import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { io as connect } from 'socket.io-client'
import { expect, test } from 'vitest'
import { listen, serve, startParley } from '../test/support/parley.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')

const askingAt = async ({ app }: Pick<typeof parley, 'app'>, token: string) =>
  (await app.inject({ url: '/api/channels', headers: { authorization: `Bearer ${token}` } })).statusCode
const freshToken = async (): Promise<string> =>
  (await parley.app.inject({ url: '/api/auth/token', headers: { cookie: ada.cookie } })).json().token
const kidOf = (token: string) => decodeProtectedHeader(token).kid

test('signing keys rotate without signing anyone out, on any node, despite invalid tokens in between', async () => {
  const other = await serve(parley.databaseUrl)
  const { socket } = await ada.listen()
  const old = await freshToken()
  expect(await askingAt(other, old)).toBe(200)
  await parley.app.db
    .updateTable('signing_keys')
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .execute()
  const [head, body, signature] = old.split('.') as [string, string, string]
  const strange = (kid: string) =>
    `${Buffer.from(JSON.stringify({ ...decodeProtectedHeader(old), kid })).toString('base64url')}.${body}.${signature}`
  // Each token names an unknown key, which makes the node reload its keys.
  const garbage = Promise.all(Array.from({ length: 30 }, (_, n) => askingAt(other, strange(`strange-${n}`))))
  const renewed = await freshToken()
  expect(kidOf(renewed)).not.toBe(kidOf(old))
  expect(head).not.toBe(renewed.split('.')[0])
  expect(await Promise.all([askingAt(other, renewed), askingAt(parley, renewed)])).toEqual([200, 200])
  expect(new Set(await garbage)).toEqual(new Set([401]))
  expect(await Promise.all([askingAt(other, old), askingAt(parley, old)])).toEqual([200, 200])
  expect((await listen(other.address, old)).socket.connected).toBe(true)
  expect((await listen(other.address, renewed)).socket.connected).toBe(true)
  expect(socket.connected).toBe(true)
  await other.app.close()
})

test('a token that we signed for another purpose or time is refused', async () => {
  const fresh = await startParley()
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const row = { id: 'known', publicKey: JSON.stringify(await exportJWK(publicKey)), privateKey: 'unused', alg: 'EdDSA' }
  await fresh.app.db
    .insertInto('signing_keys')
    .values({ ...row, createdAt: '2020-01-01' })
    .execute()
  const kim = await fresh.person('kim')
  const { id: sessionId } = await fresh.app.db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', kim.id)
    .executeTakeFirstOrThrow()
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: kim.id, sid: sessionId, iss: 'parley', aud: 'parley', exp: now + 600 }
  const sign = (changed: object) =>
    new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'EdDSA', kid: 'known' }).sign(privateKey)
  expect(await askingAt(fresh, await sign({}))).toBe(200)
  for (const changed of [
    { iss: 'somebody' },
    { aud: 'another' },
    { exp: now - 1 },
    { exp: undefined },
    { exp: now + 3 * 3600 },
    { sid: 'no-session' },
    { nbf: now + 600 },
    { sub: undefined },
    { sid: undefined },
    { sid: 7 },
  ]) {
    const token = await sign(changed)
    expect([changed, await askingAt(fresh, token)]).toEqual([changed, 401])
    await expect(listen(fresh.address, token)).rejects.toThrow('unauthenticated')
  }
})

test('a token in a URL is ignored, and no token appears in the log', async () => {
  const log: string[] = []
  const fresh = await startParley({ LOG_LEVEL: 'trace' }, { write: (line) => log.push(line) })
  const { token, cookie } = await fresh.person('ada')
  for (const url of [`/api/channels?token=${token}`, `/api/channels?access_token=${token}`])
    expect((await fresh.app.inject({ url })).statusCode).toBe(401)
  const socket = connect(fresh.address, { query: { token }, reconnection: false, forceNew: true })
  const refused = await new Promise<Error>((resolve) => socket.once('connect_error', resolve))
  expect(refused.message).toBe('unauthenticated')
  socket.close()
  expect(log.filter((line) => line.includes(token) || line.includes(cookie.slice(-40)))).toEqual([])
})

test('signing out while sending stores or refuses each message, and accepts none afterwards', async () => {
  const bob = await parley.person('bob')
  const { socket } = await bob.listen()
  const [channel] = (await bob.get('/api/channels')).body.channels
  const statuses: number[] = []
  const send = async () => {
    const n = statuses.push(0) - 1
    const message = { channelId: channel.id, content: `last words ${n}`, clientId: `last-${n}` }
    const { status } = await bob.post('/api/messages', message)
    statuses[n] = status
    return status
  }
  const sendUntilRefused = async () => {
    while ((await send()) === 201);
  }
  const senders = [1, 2, 3, 4].map(sendUntilRefused)
  await expect.poll(() => statuses.length).toBeGreaterThan(20)
  await parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    payload: {},
    headers: { cookie: bob.cookie, origin: 'http://localhost' },
  })
  await Promise.all(senders)
  expect(await send()).toBe(401)
  expect(new Set(statuses)).toEqual(new Set([201, 401]))
  const stored = await parley.app.db.selectFrom('messages').select('clientId').where('userId', '=', bob.id).execute()
  const accepted = statuses.flatMap((status, n) => (status === 201 ? [`last-${n}`] : []))
  expect(stored.map(({ clientId }) => clientId).sort()).toEqual(accepted.sort())
  await expect.poll(() => socket.connected).toBe(false)
})
