import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'
import { createIdentity } from './auth.ts'

test('no request to the identity library changes a username or creates an invalid one', async () => {
  const parley = await startParley()
  const { app, databaseUrl } = parley
  const { config, db, log } = app
  const secret = randomBytes(32).toString('hex')
  const identity = createIdentity({
    config,
    db,
    databaseUrl,
    secret,
    log,
    onArrival: async () => true,
    onUnconfirmed: async () => {},
    onRightsChanged: () => {},
    onDiskFull: () => {},
  })
  const ask = (path: string, body: object, cookie = '') =>
    identity.handle(
      new Request(`http://localhost/api/auth${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'http://localhost', cookie },
        body: JSON.stringify(body),
      }),
      { isFromOperator: true },
    )
  const person = { username: 'ada', email: 'ada@example.com', password: 'correct horse' }
  for (const name of ['Assistant', 'Аssistant', 'x'.repeat(81)])
    expect([name, (await ask('/sign-up/email', { ...person, name })).status]).toEqual([name, 400])
  const signedUp = await ask('/sign-up/email', { ...person, name: 'Ada' })
  expect(signedUp.status).toBe(200)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  for (const changes of [
    { name: 'Assistant' },
    { name: '' },
    { name: 'x'.repeat(300_000) },
    { username: 'eve' },
    { displayUsername: 'Eve' },
    { image: 'https://evil.example/seen.png' },
  ])
    expect([Object.keys(changes), (await ask('/update-user', changes, cookie)).ok]).toEqual([
      Object.keys(changes),
      false,
    ])
  const row = await db.selectFrom('users').selectAll().where('email', '=', person.email).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ name: 'Ada', username: 'ada', image: null })
  await identity.close()
})
