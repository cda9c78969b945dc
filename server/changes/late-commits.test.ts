import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { longTest } from '../test/support/long.ts'
import { holdCommits, transaction } from '../test/support/open-transactions.ts'
import { listen, type Person, serve, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { removeOld } from './watch.ts'

const parley = await startParley()
const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
const { databaseUrl } = parley
let general: string

beforeAll(async () => {
  const { generalId } = await parley.app.db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  general = generalId
})

let made = 0
async function newChannel(members: Person[], isPrivate = true): Promise<Channel> {
  const body = { name: `late-${made++}`, isPrivate, members: members.map(({ id }) => id) }
  return (await ada.post('/api/channels', body)).body
}
const sessionOf = ({ token }: Person): string =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).sid

type Statement = [text: string, values?: unknown[]]
// Timestamps look as if the transaction took twenty seconds to commit.
const AGO = `clock_timestamp() - interval '20 s'`
const moves = (channelId: string, and = ''): Statement => [
  `update channels set rev = rev + 1, "changedAt" = ${AGO} ${and} where id = $1`,
  [channelId],
]
const removes = (channelId: string, { id }: Person): Statement[] => [
  moves(channelId, ', "selfRev" = rev + 1, "memberCount" = "memberCount" - 1'),
  ['delete from memberships where "channelId" = $1 and "userId" = $2', [channelId, id]],
]
const ends = (person: Person): Statement[] => [
  ['delete from sessions where id = $1', [sessionOf(person)]],
  [`update revocations set "revokedAt" = ${AGO} where "sessionId" = $1`, [sessionOf(person)]],
]

/** Waits until the node has polled everything committed so far. */
async function looked(listener: Awaited<ReturnType<typeof listen>>) {
  const lost = await transaction(databaseUrl, [
    'update channels set rev = rev + 1, "changedAt" = clock_timestamp() where id = $1',
    [general],
  ])
  const { rows } = await lost.run('select rev from channels where id = $1', [general])
  await lost.commit()
  await listener.waitFor('channel:rev', ({ channelId, rev }) => channelId === general && rev >= rows[0].rev)
}

test('changes committed late are noticed: revisions, removals, joins, ended sessions, names', async () => {
  const [active, left, entered, closed, deleted] = await Promise.all([
    newChannel([bob, cyd]),
    newChannel([bob, cyd]),
    newChannel([bob]),
    newChannel([bob], false),
    newChannel([bob, cyd], false),
  ])
  const dan = await parley.person('dan')
  const [bobs, cyds, dans] = await Promise.all([bob, cyd, dan].map((person) => person.listen()))
  if (!bobs || !cyds || !dans) throw new Error('there are three')
  cyds.socket.emit('channel:join', closed.id)
  await cyds.waitFor('channel:joined')

  const late = await transaction(
    databaseUrl,
    moves(active.id),
    ...removes(left.id, cyd),
    moves(entered.id, ', "selfRev" = rev + 1, "memberCount" = "memberCount" + 1'),
    ['insert into memberships ("channelId", "userId") values ($1, $2)', [entered.id, cyd.id]],
    moves(closed.id, `, "selfRev" = rev + 1, kind = 'private'`),
    moves(deleted.id, `, "selfRev" = rev + 1, "deletedAt" = clock_timestamp()`),
    ...ends(dan),
  )
  await looked(bobs)
  await looked(bobs)
  await late.commit()

  await cyds.waitFor('channel:rev', ({ channelId }) => channelId === active.id)
  for (const { id } of [left, closed]) await cyds.waitFor('channel:left', ({ channelId }) => channelId === id)
  await cyds.waitFor('channel:member_joined', ({ channelId, user }) => channelId === entered.id && user.id === cyd.id)
  await cyds.waitFor('channel:deleted', ({ channelId }) => channelId === deleted.id)
  await expect.poll(() => dans.socket.connected).toBe(false)
  expect((await dan.get('/api/channels')).status).toBe(401)
  const [forbidden, permitted] = [await ada.say(left.id, 'not for cyd'), await ada.say(entered.id, 'for cyd, too')]
  await ada.say(closed.id, 'not for cyd either')
  await cyds.waitFor('message:created', ({ id }) => id === permitted.id)
  await bobs.waitFor('message:created', ({ id }) => id === forbidden.id)
  expect(cyds.all('message:created').map(({ content }) => content)).toEqual(['for cyd, too'])
})

test('a node that starts during a commit notices it, and one that starts much later knows the ended sessions', async () => {
  const channel = await newChannel([bob, cyd])
  const dan = await parley.person('dora')
  const late = await transaction(databaseUrl, ...removes(channel.id, cyd), ...ends(dan))
  const other = await serve(databaseUrl)
  const [cyds, dans] = await Promise.all([cyd, dan].map(({ token }) => listen(other.address, token)))
  await late.commit()
  await cyds?.waitFor('channel:left', ({ channelId }) => channelId === channel.id)
  await expect.poll(() => dans?.socket.connected).toBe(false)

  // Tokens can be issued until the commit, so an hour after the row's timestamp.
  await parley.app.db
    .updateTable('revocations')
    .set({ revokedAt: new Date(Date.now() - 70 * 60_000).toISOString() })
    .where('sessionId', '=', sessionOf(dan))
    .execute()
  const third = await serve(databaseUrl)
  const headers = { authorization: `Bearer ${dan.token}` }
  expect((await third.app.inject({ url: '/api/channels', headers })).statusCode).toBe(401)
  // Leave one node to do and publish the work that follows a commit.
  await Promise.all([other, third].map(({ app }) => app.close()))
})

test('while a transaction stays open, each change is published once', async () => {
  const endless = await transaction(databaseUrl, ['select pg_current_xact_id()'])
  const channel = await newChannel([bob])
  const bobs = await bob.listen()
  // The creation of the channel may be noticed only now.
  await looked(bobs)
  const revs = () => bobs.all('channel:rev').filter(({ channelId }) => channelId === channel.id)
  const before = revs().length
  for (let n = 0; n < 3; n++) {
    const lost = await transaction(databaseUrl, moves(channel.id))
    await lost.commit()
    await looked(bobs)
  }
  await looked(bobs)
  expect(
    revs()
      .slice(before)
      .map(({ rev }) => rev),
  ).toEqual([2, 3, 4])
  await endless.rollback()
})

test('restored rows with transaction ids from another database do no harm', async () => {
  const channel = await newChannel([bob, cyd])
  const [bobs, cyds] = [await bob.listen(), await cyd.listen()]
  const revs = () => bobs.all('channel:rev').filter(({ channelId }) => channelId !== general)
  // The creation of the channel may be noticed only now.
  await looked(bobs)
  const before = revs()
  const restored = await transaction(
    databaseUrl,
    [`update channels set "changedBy" = '9000000000000000000'`],
    [`update access_changes set "changedBy" = '9000000000000000000'`],
  )
  await restored.commit()
  await looked(bobs)
  expect(revs()).toEqual(before)
  const late = await transaction(databaseUrl, ...removes(channel.id, cyd))
  await late.commit()
  await cyds.waitFor('channel:left', ({ channelId }) => channelId === channel.id)
})

test('change records are pruned once every node could see them, never while their transaction is open', async () => {
  const [dan, eve] = [await parley.person('dean'), await parley.person('eva')]
  const late = await transaction(databaseUrl, ...ends(dan))
  await eve.delete(`/api/sessions/${sessionOf(eve)}`)
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(
    parley.app.db,
  )
  await late.commit()
  expect(await removeOld(parley.app.db, rows[0]?.snapshot as string)).toBe(false)
  const left = await parley.app.db.selectFrom('revocations').select('sessionId').execute()
  expect(left).toEqual([{ sessionId: sessionOf(dan) }])
  const changes = parley.app.db.selectFrom('access_changes').select('userId').where('userId', '=', eve.id)
  expect(await changes.execute()).toEqual([])
})

test.each([
  ['recovered from a crash', 'delete from lives'],
  ['is replaced', 'update workspace set epoch = gen_random_uuid()'],
])('when the database %s, sockets reconnect because changes may have been missed', async (_, statement) => {
  const channel = await newChannel([bob, cyd])
  const cyds = await cyd.listen()
  const why = new Promise((resolve) => cyds.socket.once('disconnect', resolve))
  const crashed = await transaction(databaseUrl, [statement])
  await crashed.commit()
  // Closed without a disconnect packet, so the browser reconnects.
  expect(await why).toBe('transport close')
  const again = await cyd.listen()
  const { id } = await ada.say(channel.id, 'and on it goes')
  await again.waitFor('message:created', (it) => it.id === id)
  await looked(again)
  expect(again.socket.connected).toBe(true)
})

longTest(
  'when polling for changes keeps timing out, sockets reconnect, and a metric counts it',
  {
    timeout: 10 * STATE_TIMEOUT_MS,
  },
  async () => {
    const channel = await newChannel([bob, cyd])
    const cyds = await cyd.listen()
    const measured = async (name: string) => {
      const { body } = await parley.app.inject('/metrics')
      return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(body)?.[1])
    }
    const resets = await measured('parley_change_resets_total')
    const closed = new Promise((resolve) => cyds.socket.once('disconnect', resolve))
    // Makes only the poll slow.
    const slow = await transaction(
      databaseUrl,
      ['alter table access_changes rename to access_changes_kept'],
      [
        `create function slow_changes() returns setof access_changes_kept language plpgsql as
      $$ begin perform pg_sleep(60); return query select * from access_changes_kept; end $$`,
      ],
      ['create view access_changes as select * from slow_changes()'],
    )
    await slow.commit()
    // Closed without a disconnect packet, so the browser reconnects.
    expect(await closed).toBe('transport close')
    expect(await measured('parley_change_resets_total')).toBeGreaterThan(resets)
    expect(await measured('parley_change_polls_failed_total')).toBeGreaterThan(0)

    const quick = await transaction(
      databaseUrl,
      ['drop view access_changes'],
      ['drop function slow_changes'],
      ['alter table access_changes_kept rename to access_changes'],
    )
    await quick.commit()
    const again = await cyd.listen()
    const { id } = await ada.say(channel.id, 'and on it goes')
    await again.waitFor('message:created', (it) => it.id === id)
    await looked(again)
  },
)

test('a change that committed after its request timed out is published, and users who lost access stop receiving', async () => {
  const [left, active, deleted] = [await newChannel([bob, cyd]), await newChannel([bob, cyd]), await newChannel([bob])]
  const [fay, gil] = [await parley.person('fay'), await parley.person('gil')]
  const { body: owned } = await fay.post('/api/channels', { name: 'fays-own', members: [bob.id] })
  const [bobs, cyds, fays] = await Promise.all([bob, cyd, fay].map((person) => person.listen()))
  if (!bobs || !cyds || !fays) throw new Error('there are three')
  const { release } = await holdCommits(databaseUrl, 'channels', 'users')
  const say = () => ada.post('/api/messages', { channelId: active.id, content: 'held up', clientId: 'held up' })
  const answers = await Promise.all([
    ada.post(`/api/channels/${left.id}/remove-member`, { userId: cyd.id }),
    say(),
    ada.put(`/api/users/${fay.id}/deactivation`, {}),
    ada.delete(`/api/channels/${deleted.id}`),
  ])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  await release()

  await cyds.waitFor('channel:left', ({ channelId }) => channelId === left.id)
  await cyds.waitFor('channel:rev', ({ channelId }) => channelId === active.id)
  await bobs.waitFor('channel:deleted', ({ channelId }) => channelId === deleted.id)
  await bobs.waitFor('user:updated', ({ id }) => id === fay.id)
  await expect.poll(() => fays.socket.connected).toBe(false)
  expect(await bobs.waitFor('channel:updated', ({ id }) => id === owned.id)).toMatchObject({ ownerId: bob.id })
  expect((await say()).status).toBe(200)
  const { id } = await ada.say(left.id, 'not for cyd')
  await bobs.waitFor('message:created', (it) => it.id === id)
  expect(cyds.all('message:created').map((it) => it.id)).not.toContain(id)

  // Setting the same name again is no change, but the first one has not been published yet.
  const held = await holdCommits(databaseUrl, 'users')
  expect((await gil.patch('/api/users/me', { name: 'Gilda' })).status).toBe(503)
  await held.release()
  expect(await bobs.waitFor('user:updated', (it) => it.id === gil.id)).toMatchObject({ name: 'Gilda' })
})

test('polling for changes uses the index, even when one transaction wrote all rows', async () => {
  const { db } = parley.app
  await sql`insert into access_changes ("channelId", "userId")
    select ${general}, 'somebody-' || n from generate_series(1, 20000) n`.execute(db)
  await sql`analyze access_changes`.execute(db)
  const scans = async () => {
    const { rows } = await sql<{ whole: number; byIndex: number }>`
      select s.seq_scan as whole, i.idx_scan as "byIndex" from pg_stat_user_tables s
      join pg_stat_user_indexes i using (relid)
      where s.relname = 'access_changes' and i.indexrelname like '%changedBy%'`.execute(db)
    return rows[0] as { whole: number; byIndex: number }
  }
  const before = await scans()
  await expect.poll(async () => (await scans()).byIndex).toBeGreaterThan(before.byIndex + 2)
  const settled = await scans()
  await expect.poll(async () => (await scans()).byIndex).toBeGreaterThan(settled.byIndex)
  expect((await scans()).whole).toBe(settled.whole)
})
