import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { findFaults } from '../../scripts/seed/check.ts'
import { tidyDemo } from '../../server/demo/fill-demo.ts'
import { sweepOnce } from '../../server/files/sweep-files.ts'
import { longTest } from '../../server/test/support/long.ts'
import { type Person, serve, startParley, untilPeers } from '../../server/test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'

type Parley = Awaited<ReturnType<typeof startParley>>

const DEMO = '/api/workspace/demo'
const sessionOf = async ({ app }: Pick<Parley, 'app'>, { cookie }: Person) =>
  (await app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user
const channelsOf = async (person: Person) =>
  (await person.get('/api/channels?limit=100')).body as { channels: Channel[]; directMessages: Channel[] }
const count = async ({ app }: Pick<Parley, 'app'>, sql: string) =>
  Number((await app.pool.query(`select count(*) as n from ${sql}`)).rows[0].n)

/** Fills the workspace, and returns the state in which that ended. */
async function fill(owner: Person) {
  expect(await owner.post(DEMO)).toMatchObject({ status: 202 })
  await expect.poll(async () => (await owner.get(DEMO)).body.state, { timeout: STATE_TIMEOUT_MS }).not.toBe('filling')
  return (await owner.get(DEMO)).body.state
}

/** A workspace of an owner who has the username of somebody in the story, filled with the demo. */
async function startDemo() {
  const parley = await startParley()
  const ada = await parley.person('ada')
  expect(await fill(ada)).toBe('filled')
  return { ...parley, ada }
}

test('the owner fills a new workspace, finds something new in it, and nobody of the demo can sign in', async () => {
  const parley = await startDemo()
  const { app, ada } = parley
  expect(await sessionOf(parley, ada)).toMatchObject({ isDemo: true, needsSetUp: false, workspaceName: 'Gangway' })
  const { channels, directMessages } = await channelsOf(ada)
  const isIn = channels.filter(({ isMember }) => isMember)
  expect(isIn.map(({ name, unread }) => [name, unread])).toEqual(
    expect.arrayContaining([
      ['general', expect.any(Number)],
      ['launch', 3],
      ['incidents', 1],
      ['lunch', 2],
      ['customers', 0],
    ]),
  )
  expect(directMessages.map(({ unread }) => unread)).toContain(2)
  expect(await findFaults(app.pool, app.storage)).toEqual([])

  const people = (await ada.get('/api/users')).body as { username: string; name: string }[]
  expect(people.filter(({ name }) => name === 'Ada Lovelace').map(({ username }) => username)).toEqual(['ada-2'])
  expect(await count(parley, `messages where content ~ '@ada-2' and mentions::text ~ 'ada-2'`)).toBeGreaterThan(0)
  // Only the greeting means the owner.
  expect(await count(parley, `messages where content ~ '@ada($|[^-])' and content !~ 'this is a thread'`)).toBe(0)
  const payload = { username: 'bob', password: 'correct horse' }
  expect((await app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })).statusCode).toBe(401)
  expect(await count(parley, 'accounts')).toBe(1)

  expect(await ada.post(DEMO)).toMatchObject({ status: 409, code: 'not_new' })
  // Everybody else needs an invite from now on.
  expect((await app.inject('/api/auth/ways')).json()).toMatchObject({ signUp: 'invite' })
  const { entries } = (await ada.get('/api/audit?kind=demo_filled')).body
  expect(entries).toHaveLength(1)
})

test('only the owner fills and empties it, and only while nobody has joined', async () => {
  const parley = await startParley()
  const { olga, bob } = await parley.people('olga', 'bob')
  await olga.put(`/api/users/${bob.id}/role`, { role: 'admin' })
  for (const method of ['get', 'post', 'delete'] as const) expect((await bob[method](DEMO)).status).toBe(403)
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    expect((await parley.app.inject({ method, url: DEMO })).statusCode).toBe(401)
  expect(await olga.post(DEMO)).toMatchObject({ status: 409, code: 'not_new' })
  // Not a demo: nothing happens.
  const { generalId } = await parley.app.db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  await olga.say(generalId, 'hello')
  expect((await olga.delete(DEMO)).status).toBe(204)
  expect(await count(parley, 'messages')).toBe(1)
})

test('emptying leaves nothing of the demo, keeps what real people have of their own, and reaches every node', async () => {
  const parley = await startDemo()
  const { app, ada } = parley
  const node = await serve(parley.databaseUrl)
  await untilPeers(parley, node)
  const { code } = (await ada.post('/api/invites', { days: 1, maxUses: 1 })).body
  const bea = await parley.person('bea', code)
  const general = (await channelsOf(ada)).channels.find(({ isGeneral }) => isGeneral) as Channel
  const launch = (await channelsOf(ada)).channels.find(({ name }) => name === 'launch') as Channel
  const own = (await ada.post('/api/channels', { name: 'own' })).body
  const people = (await ada.get('/api/users')).body as { id: string; name: string }[]
  const kenji = people.find(({ name }) => name.startsWith('田中'))?.id
  expect((await ada.post(`/api/channels/${own.id}/invite`, { userId: kenji })).status).toBe(200)
  await ada.say(own.id, `mine, @kenji`)
  await ada.upload(own.id, 'kept.txt')
  await ada.say(launch.id, 'well done')
  await bea.say(general.id, 'hello')
  const direct = (await bea.post('/api/direct-messages', { userIds: [ada.id] })).body
  await bea.say(direct.id, 'is this real?')
  expect((await ada.get(DEMO)).body).toEqual({ state: 'filled', canFill: false, ownMessages: 2 })
  expect((await ada.get('/api/search?q=herring')).body.length).toBeGreaterThan(0)
  const line = await bea.listen()
  const before = (await app.db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()).epoch

  expect((await ada.delete(DEMO)).status).toBe(204)
  await expect.poll(() => line.socket.connected, { timeout: 10_000 }).toBe(false)
  expect(await sessionOf(parley, ada)).toMatchObject({ isDemo: false, workspaceName: 'Parley' })
  const synced = (await ada.post('/api/sync', { epoch: before, revs: {} })).body
  expect(synced.epoch).not.toBe(before)
  const { channels, directMessages } = await channelsOf(ada)
  expect(channels.map(({ name }) => name).sort()).toEqual(['general', 'own'])
  const { rows } = await app.pool.query(`select name, "memberCount" from channels where kind <> 'direct' order by name`)
  expect(rows.map(({ name, memberCount }) => [name, Number(memberCount)])).toEqual([
    ['general', 2],
    ['own', 1],
    ['public-files', 0],
  ])
  expect(directMessages.map(({ id }) => id)).toEqual([direct.id])
  expect(((await ada.get('/api/users')).body as { username: string }[]).map(({ username }) => username).sort()).toEqual(
    ['ada', 'assistant-bot', 'bea'],
  )
  for (const at of [parley, node]) {
    const headers = { authorization: `Bearer ${ada.token}` }
    const read = async (id: string) => (await at.app.inject({ url: `/api/messages/channel/${id}`, headers })).json()
    expect(await read(general.id)).toEqual([])
    expect((await read(own.id)).map(({ content }: { content: string }) => content)).toEqual(['mine, @kenji'])
    expect((await read(launch.id)).error.code).toBe('not_found')
  }
  expect(await ada.say(general.id, 'at last')).toMatchObject({ seq: 1 })
  expect((await ada.get('/api/search?q=herring')).body).toEqual([])
  while (await sweepOnce(app.db, app.storage)) {}
  expect(await count(parley, 'files')).toBe(1)
  let bytes = 0
  for await (const _ of app.storage.list()) bytes++
  expect(bytes).toBe(1)
  expect(await findFaults(app.pool, app.storage)).toEqual([])
  // A second colleague has joined, so it can't be filled again.
  expect(await ada.post(DEMO)).toMatchObject({ status: 409 })
})

longTest('a hold keeps the demo, and the owner can fill it again once it was emptied', async () => {
  const parley = await startDemo()
  const { ada } = parley
  const hold = await ada.post('/api/holds', { userId: ada.id, reason: 'x' })
  expect(hold.status).toBe(201)
  expect(await ada.delete(DEMO)).toMatchObject({ status: 409, code: 'on_hold' })
  expect(await count(parley, 'users where "isDemo"')).toBe(16)
  expect((await ada.delete(`/api/holds/${hold.body.holds?.[0]?.id ?? hold.body.id}`)).status).toBeLessThan(300)
  expect((await ada.delete(DEMO)).status).toBe(204)
  expect(await fill(ada)).toBe('filled')
  expect(await findFaults(parley.app.pool, parley.app.storage)).toEqual([])
})

longTest('real people keep a channel that came to belong to somebody of the demo', async () => {
  const parley = await startDemo()
  const { ada } = parley
  const people = (await ada.get('/api/users')).body as { id: string; name: string }[]
  const zoe = people.find(({ name }) => name.startsWith('Zoë'))?.id
  const own = (await ada.post('/api/channels', { name: 'own' })).body
  await ada.post(`/api/channels/${own.id}/invite`, { userId: zoe })
  await ada.say(own.id, 'mine')
  expect((await ada.patch(`/api/channels/${own.id}`, { ownerId: zoe })).status).toBe(200)
  expect((await ada.delete(DEMO)).status).toBe(204)
  expect((await ada.get(`/api/channels/${own.id}`)).body).toMatchObject({ ownerId: ada.id })
  expect((await ada.get(`/api/messages/channel/${own.id}`)).body).toHaveLength(1)
  expect(await findFaults(parley.app.pool, parley.app.storage)).toEqual([])
})

longTest('the owner is greeted once, and signs in whatever became of Grace', async () => {
  const parley = await startDemo()
  const { ada, app } = parley
  const lunch = (await channelsOf(ada)).channels.find(({ name }) => name === 'lunch') as Channel
  expect((await ada.post(`/api/channels/${lunch.id}/leave`)).status).toBe(204)
  // Grace shows what a thread is.
  const { threads } = (await ada.get('/api/threads')).body
  expect(threads).toMatchObject([{ isFollowing: true, lastReadSeq: 0, parent: { replyCount: 1 } }])
  const signIn = () => {
    const payload = { username: 'ada', password: ada.password }
    return app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
  }
  expect((await signIn()).statusCode).toBe(200)
  expect((await channelsOf(ada)).channels.find(({ name }) => name === 'lunch')?.isMember).toBe(false)
  // As after a start with the demo, before anybody owned it; and she can't be reached.
  await app.db.updateTable('workspace').set({ demo: 'filled' }).execute()
  await app.db
    .updateTable('users')
    .set({ deactivatedAt: new Date().toISOString() })
    .where('isDemo', '=', true)
    .execute()
  await app.pool.query('delete from channels where kind = $1', ['direct'])
  expect((await signIn()).statusCode).toBe(200)
})

longTest('filling and emptying exclude each other, and a demo that nobody finished is filled anew', async () => {
  const parley = await startParley()
  const node = await serve(parley.databaseUrl)
  const ada = await parley.person('ada')
  expect((await ada.post(DEMO)).status).toBe(202)
  expect(await ada.delete(DEMO)).toMatchObject({ status: 409, code: 'demo_busy' })
  expect(await ada.post(DEMO)).toMatchObject({ status: 409, code: 'demo_busy' })
  // Nobody sees it before it is there.
  expect(await sessionOf(node, ada)).toMatchObject({ isDemo: false })
  await expect.poll(async () => (await ada.get(DEMO)).body.state, { timeout: STATE_TIMEOUT_MS }).toBe('filled')
  expect(await sessionOf(node, ada)).toMatchObject({ isDemo: true })
  // As if its node had died.
  await parley.app.db.updateTable('workspace').set({ demo: 'filling' }).execute()
  expect(await fill(ada)).toBe('filled')
  expect(await count(parley, 'users where "isDemo"')).toBe(16)
  expect(await findFaults(parley.app.pool, parley.app.storage)).toEqual([])
  await parley.app.db.updateTable('workspace').set({ demo: 'filling' }).execute()
  await tidyDemo(parley.app)
  expect(await count(parley, 'users where "isDemo"')).toBe(0)
})

longTest('a demo that fails half way is removed', async () => {
  const parley = await startParley()
  const ada = await parley.person('ada')
  const { pool } = parley.app
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
  await pool.query('create trigger refuse before insert on reactions for each row execute function refuse()')
  expect(await fill(ada)).toBe(null)
  expect(await count(parley, 'users where "isDemo"')).toBe(0)
  expect(await count(parley, 'channels')).toBe(2)
  expect(await sessionOf(parley, ada)).toMatchObject({ isDemo: false })
  await pool.query('drop trigger refuse on reactions')
  expect(await fill(ada)).toBe('filled')
})
