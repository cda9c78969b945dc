import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { saveSubscription } from '../../push/subscriptions.ts'
import { serve } from '../../test/support/parley.ts'
import { startPushing } from '../../test/support/push-fixture.ts'

const {
  ada,
  arrived,
  devicesOf,
  directWith,
  parley,
  phoneOf,
  publicKey,
  receivedAt,
  service,
  settled,
  until,
  withPhone,
} = await startPushing()
const { app, databaseUrl } = parley
const { db } = app
const path = '/api/push/subscription'

test('only what a browser gives is taken, and only with the key of this server', async () => {
  const { keys, endpoint } = service.subscribe(publicKey)
  const good = { endpoint, keys, publicKey }
  const wrong: [field: string, body: object][] = [
    ['endpoint', { ...good, endpoint: 'not a URL' }],
    ['endpoint', { ...good, endpoint: 'http://push.example.com/1' }],
    ['endpoint', { ...good, endpoint: 'https://user:secret@push.example.com/1' }],
    ['endpoint', { ...good, endpoint: `https://push.example.com/${'x'.repeat(1000)}` }],
    ['endpoint', { ...good, endpoint: 'file:///etc/passwd' }],
    ['keys.p256dh', { ...good, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } }],
    ['keys.p256dh', { ...good, keys: { ...keys, p256dh: keys.p256dh.slice(4) } }],
    ['keys.auth', { ...good, keys: { ...keys, auth: 'AAAA' } }],
    ['keys.auth', { ...good, keys: { ...keys, auth: 'a'.repeat(200) } }],
    ['publicKey', { ...good, publicKey: keys.p256dh }],
    ['keys', { ...good, keys: undefined }],
  ]
  for (const [field, body] of wrong) {
    const refused = await ada.put(path, body)
    expect(refused, JSON.stringify(body)).toMatchObject({ status: 400, code: 'invalid' })
    expect(Object.keys(refused.body.error.fields), JSON.stringify(body)).toContain(field)
  }
  expect(await devicesOf(ada)).toEqual([])
  // Some browsers pad.
  expect(await ada.put(path, { ...good, publicKey: `${publicKey}=` })).toMatchObject({ status: 204 })
  expect(await devicesOf(ada)).toMatchObject([
    {
      isCurrent: true,
      service: new URL(service.url).host,
      hidesText: false,
      isValid: true,
      failingSince: null,
      deliveries: [],
    },
  ])
  expect(await ada.delete(path)).toMatchObject({ status: 204 })
  expect(await ada.delete(path)).toMatchObject({ status: 204 })
  expect(await ada.patch(path, { hidesText: true })).toMatchObject({ status: 404 })
  expect(await ada.post('/api/push/test')).toMatchObject({ status: 404 })
})

test('a browser belongs to the last session there; my other browsers stay, at most twenty', async () => {
  const bob = await withPhone()
  const eve = await parley.person('eve')
  const direct = await directWith(bob)
  // Eve signs in at Bob's browser without him signing out.
  const subscription = service.subscribe(publicKey)
  await bob.put(path, { ...subscription, publicKey })
  await eve.put(path, { ...subscription, publicKey })
  await ada.say(direct, 'only for Bob')
  await until(async () => (await db.selectFrom('push_candidates').selectAll().execute()).length === 0)
  expect(await settled(subscription.endpoint)).toEqual([])
  expect(await devicesOf(bob)).toEqual([])
  expect(await devicesOf(eve)).toHaveLength(1)

  await sql`
    with more as (
      insert into sessions (id, "userId", token, "expiresAt", "userAgent")
      select '00000000-0000-7000-8000-0000000000' || lpad(n::text, 2, '0'), ${eve.id}, 'more-' || n, now() + interval '1 day', 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Firefox/152.0'
      from generate_series(1, 20) n returning id
    )
    insert into push_subscriptions (id, "sessionId", "userId", endpoint, p256dh, auth, "publicKey", "createdAt")
    select gen_random_uuid(), id, ${eve.id}, 'https://push.example.com/' || id, '', '', ${publicKey},
      now() - right(id, 2)::integer * interval '1 minute' from more`.execute(db)
  await phoneOf(eve)
  const devices = await devicesOf(eve)
  expect(devices.map(({ sessionId }) => sessionId.slice(-2)).slice(1)).toEqual(
    Array.from({ length: 19 }, (_, i) => String(i + 1).padStart(2, '0')),
  )
  expect(devices[0]?.isCurrent).toBe(true)
  expect(devices[1]).toMatchObject({ isCurrent: false, device: 'Firefox on Linux', service: 'push.example.com' })
})

test('a test says what the push service says, and removes a subscription that is gone', async () => {
  const bob = await withPhone()
  const arrives = await bob.post('/api/push/test')
  expect(arrives).toMatchObject({
    status: 200,
    body: { kind: 'test', outcome: 'delivered', status: 201, detail: null },
  })
  expect(await arrived(bob.phone)).toEqual(['This is a test that you asked for.'])
  expect(receivedAt(bob.phone)).toMatchObject([{ tag: arrives.body.id, title: 'Notifications arrive here', path: '/' }])
  service.answer(bob.phone, { status: 403, body: 'BadJwtToken' }, 1)
  expect((await bob.post('/api/push/test')).body).toMatchObject({
    outcome: 'refused',
    status: 403,
    detail: 'BadJwtToken',
  })
  service.answer(bob.phone, { status: 201, delayMs: 6000 }, 1)
  expect((await bob.post('/api/push/test')).body).toMatchObject({
    outcome: 'failed',
    status: null,
    detail: 'no answer in time',
  })
  const [device] = await devicesOf(bob)
  expect(device?.deliveries.map(({ outcome }) => outcome)).toEqual(['failed', 'refused', 'delivered'])
  service.unsubscribe(bob.phone)
  expect((await bob.post('/api/push/test')).body).toMatchObject({ outcome: 'gone', status: 410 })
  expect(await devicesOf(bob)).toEqual([])
})

test('the log of a device keeps the last twenty', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  for (let n = 0; n < 25; n++) await ada.say(direct, `message ${n}`)
  await settled(bob.phone)
  const { id } = (await bob.post('/api/push/test')).body
  const [device] = await devicesOf(bob)
  expect(device?.deliveries).toHaveLength(20)
  expect(device?.deliveries[0]?.id).toBe(id)
  expect(device?.deliveries.slice(1).every(({ kind, rule }) => kind === 'message' && rule === 'direct')).toBe(true)
})

test('what the owner of the server set holds: no texts, or no notifications at all', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  const off = await serve(databaseUrl, { WEB_PUSH: 'off', OUTBOUND_ALLOW: '127.0.0.1' }, undefined, { pushPollMs: 20 })
  const headers = { authorization: `Bearer ${bob.token}` }
  const inject = (method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) =>
    off.app.inject({ method, url, headers, ...(payload && { payload }) })
  expect((await inject('GET', '/api/push')).json()).toMatchObject({ mode: 'off' })
  const refusals = [
    await inject('PUT', path, { ...service.subscribe(publicKey), publicKey }),
    await inject('POST', '/api/push/test'),
  ]
  for (const refused of refusals) expect(refused.json().error.code).toBe('push_off')
  await off.app.close()
  await ada.say(direct, 'the other nodes still do')
  expect(await arrived(bob.phone)).toEqual(['the other nodes still do'])
  await phoneOf(bob)
})

test('two browsers that subscribe with each other’s address, and sessions that end meanwhile, get clear answers', async () => {
  const [bob, eve] = [await withPhone(), await withPhone()]
  const addresses = [service.subscribe(publicKey), service.subscribe(publicKey)]
  for (let round = 0; round < 10; round++) {
    const [one, two] = round % 2 ? addresses : addresses.toReversed()
    const answers = await Promise.all([bob.put(path, { ...one, publicKey }), eve.put(path, { ...two, publicKey })])
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
  }
  const [, last] = addresses
  await eve.put(path, { ...last, publicKey })
  // The token is valid for a moment longer than the session.
  const ended = await db.transaction().execute(async (tx) => {
    const its = { sessionId: 'gone', userId: bob.id, publicKey, endpoint: last?.endpoint ?? '', p256dh: '', auth: '' }
    return saveSubscription(tx, its).catch((error) => error)
  })
  expect(ended).toMatchObject({ status: 401 })
})
