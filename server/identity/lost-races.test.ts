import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { startParley } from '../test/support/parley.ts'
import { repeatLostSignUp } from './lost-races.ts'

type Parley = Awaited<ReturnType<typeof startParley>>

describe('concurrent sign-ups', () => {
  const log: string[] = []
  const start = (settings: NodeJS.ProcessEnv = {}) =>
    startParley({ LOG_LEVEL: 'info', SIGNUP: 'open', ...settings }, { write: (line) => log.push(line) })

  async function signUp({ app }: Parley, username: string, address = username, invite?: string) {
    const payload = { name: 'Mei', username, email: `${address}@example.com`, password: 'correct horse', invite }
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })
    return statusCode === 200 ? 'signed up' : JSON.parse(body).code
  }

  afterAll(() => {
    expect(log.filter((line) => line.includes('example.com') || JSON.parse(line).level >= 50)).toEqual([])
  })

  test('with the same username store one', async () => {
    const fresh = await start()
    const answers = await Promise.all([1, 2, 3, 4].map((n) => signUp(fresh, 'mei', `mei${n}`)))
    expect(answers.sort()).toEqual([...Array(3).fill('USERNAME_IS_ALREADY_TAKEN'), 'signed up'])
  })

  test('with the same address store one', async () => {
    const fresh = await start()
    const answers = await Promise.all([1, 2, 3, 4].map((n) => signUp(fresh, `mei${n}`, 'mei')))
    expect(answers.sort()).toEqual([...Array(3).fill('USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'), 'signed up'])
  })

  test('found one workspace, where sign-up is then closed', async () => {
    const fresh = await start({ SIGNUP: 'closed' })
    const answers = await Promise.all(['mei', 'tomas', 'zoe', 'kim'].map((name) => signUp(fresh, name)))
    expect(answers.sort()).toEqual([...Array(3).fill('SIGN_UP_CLOSED'), 'signed up'])
  })

  test('count once, even if they lose a race', async () => {
    const fresh = await start({ RATE_LIMIT: 'on' })
    await signUp(fresh, 'ada')
    const { db } = fresh.app
    // The next one is the last of this minute.
    const { numUpdatedRows } = await db
      .updateTable('tries')
      .set({ count: 19 })
      .where('key', 'like', '%/sign-up/email')
      .executeTakeFirstOrThrow()
    expect(numUpdatedRows).toBe(1n)
    const other = await transaction(fresh.databaseUrl, [
      `insert into users (id, name, email, username) values ('mei', 'Mei', 'm@example.org', 'mei')`,
    ])
    const answer = signUp(fresh, 'mei')
    await untilLockWait(fresh.databaseUrl, 'insert into "users"')
    await other.commit()
    expect(await answer).toBe('USERNAME_IS_ALREADY_TAKEN')
    expect(await signUp(fresh, 'tomas')).toBeUndefined()
  })

  test('use an invite no more often than allowed', async () => {
    const fresh = await start({ SIGNUP: 'invite' })
    const { olga } = await fresh.people('olga')
    const { code } = (await olga.post('/api/invites', { days: 1, maxUses: 2 })).body
    const answers = await Promise.all([1, 2, 3, 4].map((n) => signUp(fresh, `mei${n}`, `mei${n}`, code)))
    expect(answers.sort()).toEqual(['INVITE_ENDED', 'INVITE_ENDED', 'signed up', 'signed up'])
  })
})

describe('a sign-up that the database cannot store', () => {
  /** Makes each new row of `users` fail, and counts them: a sequence is not rolled back. */
  async function failNewUsers(code: string) {
    const fresh = await startParley()
    await sql`create sequence tried`.execute(fresh.app.db)
    await sql`
      create function fail() returns trigger language plpgsql as ${sql.lit(`begin
        perform nextval('tried');
        raise exception 'no' using errcode = '${code}';
      end`)}`.execute(fresh.app.db)
    await sql`create trigger fail before insert on users for each row execute function fail()`.execute(fresh.app.db)
    const payload = { name: 'Mei', username: 'mei', email: 'mei@example.com', password: 'correct horse' }
    const { statusCode, body, headers } = await fresh.app.inject({
      method: 'POST',
      url: '/api/auth/sign-up/email',
      payload,
    })
    const { rows } = await sql<{ tried: number }>`select last_value::int as tried from tried`.execute(fresh.app.db)
    return { statusCode, body: JSON.parse(body), retryAfter: headers['retry-after'], tried: rows[0]?.tried }
  }

  test('is answered like any call while the database is down, and not repeated', async () => {
    expect(await failNewUsers('57P03')).toMatchObject({
      statusCode: 503,
      body: { error: { code: 'unavailable', reason: 'databaseAway' } },
      retryAfter: '2',
      tried: 1,
    })
  })

  test('is answered like any call while the disk is full', async () => {
    expect(await failNewUsers('53100')).toMatchObject({
      statusCode: 507,
      body: { error: { code: 'storage_full', reason: 'diskFull' } },
      tried: 1,
    })
  })

  test('is an internal error if the database is up', async () => {
    expect(await failNewUsers('22001')).toMatchObject({
      statusCode: 500,
      body: { error: { code: 'internal' } },
      tried: 1,
    })
  })

  test('is repeated once if the database enforced a constraint', async () => {
    expect(await failNewUsers('23514')).toMatchObject({
      statusCode: 422,
      body: { code: 'FAILED_TO_CREATE_USER' },
      tried: 2,
    })
  })
})

test('a refusal whose body is not JSON is passed on', async () => {
  const refusal = new Response('<html>', { status: 422 })
  expect(await repeatLostSignUp({}, async () => refusal)).toBe(refusal)
})
