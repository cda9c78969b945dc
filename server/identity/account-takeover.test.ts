import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { openCookieClient } from '../test/support/cookie-client.ts'
import { startParley } from '../test/support/parley.ts'
import { createClaim, createPasswordReset } from './password-resets.ts'

// Sign-ins that start before an account passes from its creator to the verified owner of its address, and end afterwards.

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let signIn: ReturnType<typeof hostedSignIn>['signIn']
let begin: ReturnType<typeof hostedSignIn>['begin']

beforeAll(async () => {
  provider = await startProvider()
  parley = await startParley(provider.settings)
  await parley.person('root')
  ;({ begin, signIn } = hostedSignIn(parley))
})
afterAll(() => provider.close())

/** Locks a user's row, so that their sessions and accounts cannot be written until it is released. */
async function hold(userId: string) {
  const client = new pg.Client(parley.databaseUrl)
  await client.connect()
  await client.query('begin')
  await client.query('select from users where id = $1 for update', [userId])
  return async () => {
    await client.query('commit')
    await client.end()
  }
}

const waiting = async () => {
  const { rows } = await parley.app.pool.query(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].n as number
}
const accountsOf = (userId: string) =>
  parley.app.db.selectFrom('accounts').select('providerId').where('userId', '=', userId).execute()
const sessionsOf = (userId: string) =>
  parley.app.db.selectFrom('sessions').select('id').where('userId', '=', userId).execute()
const meOf = async (surfer: ReturnType<typeof openCookieClient>) =>
  ((await (await surfer.ask(`${parley.address}/api/auth/get-session`)).json()) as { user: { id: string } } | null)?.user
    .id

test.each(['email', 'username'] as const)(
  'a sign-in with the right password (by %s) that started before the owner of the address signed in gets no session',
  async (way) => {
    const kim = await parley.person(`kim-${way}`)
    provider.people[kim.id] = { email: kim.email, email_verified: true, preferred_username: 'k' }
    const release = await hold(kim.id)
    const squatter = openCookieClient()
    const late = squatter.post(`${parley.address}/api/auth/sign-in/${way}`, {
      [way]: kim[way],
      password: kim.password,
    })
    await expect.poll(waiting).toBe(1)
    const owner = signIn(kim.id)
    await expect.poll(() => accountsOf(kim.id)).toEqual([])
    await expect.poll(() => sessionsOf(kim.id)).toEqual([])
    await release()
    expect((await owner).me.id).toBe(kim.id)
    const answer = await late
    expect([answer.status, answer.headers.getSetCookie().join()]).toEqual([
      401,
      expect.not.stringContaining('session_token'),
    ])
    expect(await meOf(squatter)).toBe(undefined)
    expect(await sessionsOf(kim.id)).toHaveLength(1)
    expect(await meOf((await owner).surfer)).toBe(kim.id)
  },
)

test('nor does a sign-in with a provider account with an unverified address', async () => {
  provider.people['sub-early'] = { email: 'late@example.com', email_verified: false, preferred_username: 'early' }
  const early = await signIn('sub-early')
  provider.people['sub-late'] = { email: 'late@example.com', email_verified: true, preferred_username: 'late' }
  const { url, surfer } = await begin()
  const back = await surfer.follow(url, 'sub-early', (it) => it.includes('/api/auth/callback/'))
  const release = await hold(early.me.id)
  const again = surfer.ask(back)
  await expect.poll(waiting).toBe(1)
  const owner = signIn('sub-late')
  await expect.poll(() => sessionsOf(early.me.id)).toEqual([])
  await release()
  expect((await owner).me.id).toBe(early.me.id)
  expect((await again).headers.get('location')).toMatch(/^\/sign-in\?error=/)
  expect(await meOf(surfer)).toBe(undefined)
  expect(await sessionsOf(early.me.id)).toHaveLength(1)
})

test.each(['somebody', 'somebody who was imported'])(
  'a link with which %s sets a password ends when the proven owner of the address signs in',
  async (who) => {
    const { db } = parley.app
    const person = await parley.person(`linked-${who.length}`)
    const userId = person.id
    const link = { userId, createdBy: null, source: {} }
    const isImported = who !== 'somebody'
    if (isImported) {
      const importId = '0199a1de-0000-7000-8000-00000000e001'
      await db
        .insertInto('imports')
        .values({ id: importId, userId, fileName: 'a.zip', size: 1, state: 'accepted' })
        .execute()
      await db.deleteFrom('accounts').where('userId', '=', userId).execute()
      await db.insertInto('imported_people').values({ userId, importId, isBot: false }).execute()
    }
    const { code } = await db
      .transaction()
      .execute((tx) => (isImported ? createClaim(tx, link) : createPasswordReset(tx, parley.app.config, link)))
    provider.people[userId] = { email: person.email, email_verified: true, preferred_username: 'k' }
    expect((await signIn(userId)).me.id).toBe(userId)
    const used = await parley.app.inject({
      method: 'POST',
      url: '/api/auth/password-reset',
      payload: { code, new: 'a staple of somebody else' },
    })
    expect(used.statusCode).toBe(404)
    expect(await accountsOf(userId)).toEqual([{ providerId: 'oidc' }])
  },
)
