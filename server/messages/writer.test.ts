import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { slowTries, times } from '#contract/test/properties'
import { addMember } from '../channels/memberships.ts'
import { bumpRev, lockChannel } from '../channels/revision.ts'
import { isLong, longTest } from '../test/support/long.ts'
import { action, openWriterFixture, settle, startFreezableProxy, upTo } from '../test/support/writer-fixture.ts'
import type { SendResult } from './store-messages.ts'

/** The writer's limit of queued messages. */
const MAX_QUEUED = 20_000

let ledger: Awaited<ReturnType<typeof openWriterFixture>>
let node: ReturnType<typeof ledger.openWriter>
let people: string[]
let ada: string

beforeAll(async () => {
  ledger = await openWriterFixture()
  node = ledger.openWriter()
  people = await ledger.addPeople('ada', 'bob', 'cyd', 'dan')
  ada = people[0] as string
})

const draft = (channelId: string, content: string, clientId: string | null = content, userId = ada) => ({
  channelId,
  userId,
  content,
  clientId,
})
const isSent = (result: SendResult | number): result is SendResult => typeof result !== 'number'

test('sends, repeats, changes and joins on two nodes leave no gap or duplicate, and publish each rev once', {
  timeout: times(240_000),
}, async () => {
  const nodes = [ledger.openWriter(), ledger.openWriter()]
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 150, size: 'max' }), async (actions) => {
      const channels = await ledger.addChannels(4, people.slice(0, 3))
      const outcomes: { channelId: string; key: string | undefined; result: Promise<(SendResult | number)[]> }[] = []
      const changes: Promise<unknown>[] = []
      const prefix = `${channels[0]}-`.slice(-13)
      for (const { kind, who, where, node, key, pause } of actions) {
        if (pause === 'turn') await turn()
        // Lets some of the transactions finish.
        if (pause === 'moment') await sleep(2)
        const { writer, published, rewrite } = nodes[node] as (typeof nodes)[0]
        const [userId, channelId] = [people[who] as string, channels[where] as string]
        if (kind === 'send') {
          const clientId = key === null ? null : prefix + key
          const message = draft(channelId, `${key}`, clientId, userId)
          // Like the browser, resends with the same key after an unknown outcome.
          const send = (): Promise<SendResult> =>
            writer.send(message).catch((error) => (error.status === 503 ? sleep(50).then(send) : Promise.reject(error)))
          outcomes.push({
            channelId,
            key: clientId === null ? undefined : `${userId} ${clientId}`,
            result: settle([send()]),
          })
        } else if (kind === 'join') {
          const act = writer.change(
            channelId,
            (tx) => addMember(tx, channelId, userId),
            (joined) => joined && published.push({ channelId, rev: joined.rev }),
          )
          changes.push(act)
        } else changes.push(rewrite(channelId, (key ?? 0) + 1, kind === 'edit' ? 'edited' : undefined))
      }
      const results = (await Promise.all(outcomes.map(({ result }) => result))).flat()
      await Promise.all(changes)

      const rows = await ledger.stored(channels)
      const byId = new Map(rows.map((row) => [row.id, row]))
      const ids = new Map<string, Set<string>>()
      for (const [i, { channelId, key }] of outcomes.entries()) {
        const result = results[i] as SendResult | number
        if (!isSent(result)) {
          // Dan is rejected until he joins; the others only if their key belongs to another channel.
          expect([403, 409]).toContain(result)
          if (result === 409)
            expect(rows.some((row) => `${row.userId} ${row.clientId}` === key && row.channelId !== channelId)).toBe(
              true,
            )
          continue
        }
        expect(result.message.channelId).toBe(channelId)
        expect(byId.get(result.message.id)?.seq).toBe(result.message.seq)
        if (key) ids.set(key, (ids.get(key) ?? new Set()).add(result.message.id))
      }
      for (const those of ids.values()) expect(those.size).toBe(1)
      // Each row was new to exactly one caller.
      const news = results.filter(isSent).filter(({ isNew }) => isNew)
      expect(news.map(({ message }) => message.id).sort()).toEqual(rows.map(({ id }) => id).sort())

      for (const channelId of channels) {
        const here = rows.filter((row) => row.channelId === channelId)
        const { seq, rev } = await ledger.channel(channelId)
        expect(here.map((row) => row.seq)).toEqual(upTo(seq))
        const published = nodes.map((node) =>
          node.published.filter((event) => event.channelId === channelId).map((event) => event.rev),
        )
        for (const revs of published) expect(revs).toEqual([...revs].sort((a, b) => a - b))
        expect(published.flat().sort((a, b) => a - b)).toEqual(upTo(rev))
        expect(new Set(here.map((row) => row.rev)).size).toBe(here.length)
        expect(Math.max(0, ...here.map((row) => row.rev))).toBeLessThanOrEqual(rev)
      }
    }),
    slowTries(25),
  )
  const { rows } = await sql`select deadlocks from pg_stat_database where datname = current_database()`.execute(
    ledger.db,
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
})

test('a repeated key returns the first message, within a batch and later, and is refused in another channel', async () => {
  const [here, there] = (await ledger.addChannels(2, people)) as [string, string]
  const send = () => node.writer.send(draft(here, 'said once', 'repeat'))
  const answers = [...(await Promise.all([send(), send(), send()])), await send()]
  expect(answers.map(({ isNew }) => isNew)).toEqual([true, false, false, false])
  expect(new Set(answers.map(({ message }) => message.id)).size).toBe(1)
  await expect(node.writer.send(draft(there, 'said once', 'repeat'))).rejects.toMatchObject({
    code: 'client_id_reused',
  })
  expect(await ledger.channel(there)).toMatchObject({ seq: 0, rev: 0 })
})

test('after the removal of a member who is sending, nothing more of theirs is stored', async () => {
  const [here] = (await ledger.addChannels(1, people)) as [string]
  const other = ledger.openWriter()
  const before = settle(upTo(40).map((n) => node.writer.send(draft(here, `before ${n}`))))
  const removal = (n: typeof node) =>
    n.writer.change(
      here,
      async (tx) => {
        await lockChannel(tx, here)
        await tx.deleteFrom('memberships').where('channelId', '=', here).where('userId', '=', ada).execute()
        return (await bumpRev(tx, here)).rev
      },
      () => undefined,
    )
  const removed = removal(other)
  const during = upTo(40).map((n) => node.writer.send(draft(here, `during ${n}`)))
  const rev = await removed
  const after = await settle(upTo(40).map((n) => node.writer.send(draft(here, `after ${n}`))))
  const results = [...(await before), ...(await settle(during))]
  expect(new Set(after)).toEqual(new Set([403]))
  expect(results.every((result) => result === 403 || (isSent(result) && result.message.rev < rev))).toBe(true)
  const rows = await ledger.stored([here])
  expect(rows.map(({ id }) => id).sort()).toEqual(
    results
      .filter(isSent)
      .map(({ message }) => message.id)
      .sort(),
  )
  expect(rows.every((row) => row.rev < rev)).toBe(true)
})

test('a deleted channel and one that never existed are not found', async () => {
  const [here] = (await ledger.addChannels(1, people)) as [string]
  await node.writer.send(draft(here, 'last words'))
  await ledger.db.updateTable('channels').set({ deletedAt: new Date().toISOString() }).where('id', '=', here).execute()
  expect(await settle([here, people[1] as string].map((id) => node.writer.send(draft(id, 'echo'))))).toEqual([404, 404])
  await expect(node.rewrite(here, 1, 'x')).rejects.toMatchObject({ status: 404 })
  expect(await ledger.stored([here])).toHaveLength(1)
})

// Repeated, because splitting a group would reorder it only now and then.
test('a row that cannot be stored does not fail others in its batch', { repeats: isLong ? 5 : 1 }, async () => {
  const [here, there] = (await ledger.addChannels(2, people)) as [string, string]
  // A membership of a nonexistent user: only the foreign key catches it.
  await ledger.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    await db.insertInto('memberships').values({ channelId: here, userId: 'ghost' }).execute()
    await sql`set session_replication_role = origin`.execute(db)
  })
  const bad = [
    draft(here, 'boo', 'g1', 'ghost'),
    draft(here, 'a\0b', 'nul'),
    draft(there, 'key', 'a\0b'),
    draft('no-id', 'nowhere'),
    draft(there, 'who', 'who', 'a\0b'),
  ]
  const good = upTo(60).map((n) => draft(n % 3 === 0 ? there : here, `good ${n}`, null))
  const drafts = good.flatMap((message, i) => (i % 12 === 0 ? [bad[i / 12] as typeof message, message] : [message]))
  const results = await settle(drafts.map((message) => node.writer.send(message)))
  const isBad = (_: unknown, i: number) => bad.includes(drafts[i] as (typeof bad)[0])
  expect(results.filter(isBad)).toEqual([500, 400, 400, 400, 400])
  expect(results.filter((result, i) => !isBad(result, i)).every((result) => isSent(result) && result.isNew)).toBe(true)
  const rows = await ledger.stored([here, there])
  for (const id of [here, there]) {
    // In the order in which they were sent.
    const expected = good.filter(({ channelId }) => channelId === id).map(({ content }, i) => `${i + 1} ${content}`)
    expect(rows.filter((row) => row.channelId === id).map((row) => `${row.seq} ${row.content}`)).toEqual(expected)
  }
})

test('a locked channel delays no other, and each message sent to it is either refused or stored', async () => {
  const [locked, ...free] = (await ledger.addChannels(8, people)) as [string, ...string[]]
  await node.writer.send(draft(locked, 'first'))
  const { release } = await ledger.hold(locked)
  const there = settle(upTo(20).map((n) => node.writer.send(draft(locked, `locked ${n}`))))
  const edits = settle([node.rewrite(locked, 1, 'edited')])
  for (let n = 1; n <= 20; n++) {
    // Each waits for the previous one while the lock is held.
    const results = await Promise.all(free.map((id) => node.writer.send(draft(id, `free ${n}`, `${id} ${n}`))))
    expect(results.every(({ isNew }) => isNew)).toBe(true)
    await node.rewrite(free[0] as string, 1, `edit ${n}`)
  }
  // They time out while the lock is still held.
  const refused = await there
  expect(new Set([...refused, ...(await edits)])).toEqual(new Set([503]))
  await release()
  expect((await ledger.stored([locked])).map(({ content }) => content)).toEqual(['first'])

  const again = await ledger.hold(locked)
  const sends = settle(upTo(20).map((n) => node.writer.send(draft(locked, `locked ${n}`))))
  await node.writer.send(draft(free[1] as string, 'meanwhile'))
  await again.release()
  const acknowledged = (await sends).filter(isSent).map(({ message }) => message.content)
  const contents = (await ledger.stored([locked])).map(({ content }) => content)
  expect(contents).toEqual(expect.arrayContaining(acknowledged))
  const repeated = await Promise.all(upTo(20).map((n) => node.writer.send(draft(locked, `locked ${n}`))))
  expect(repeated.map(({ message }) => message.seq).sort((a, b) => a - b)).toEqual(upTo(20).map((n) => n + 1))
})

longTest('many locked channels do not block the others', async () => {
  const locked = await ledger.addChannels(12, people)
  const [free] = (await ledger.addChannels(1, people)) as [string]
  const { release } = await ledger.hold(...locked)
  const there = settle(locked.map((id) => node.writer.send(draft(id, 'locked', `locked ${id}`))))
  const results = await Promise.all(upTo(20).map((n) => node.writer.send(draft(free, `free ${n}`, `${free} ${n}`))))
  expect(results.every(({ isNew }) => isNew)).toBe(true)
  expect(new Set(await there)).toEqual(new Set([503]))
  await release()
  expect(await ledger.stored(locked)).toEqual([])
})

longTest('sends beyond the queue limit are refused immediately, and queued ones are stored', async () => {
  const channels = await ledger.addChannels(20, people)
  const calls = upTo(MAX_QUEUED + 50).map((n) =>
    node.writer.send(draft(channels[n % 20] as string, 'one of many', null)),
  )
  const late = await settle(calls.slice(MAX_QUEUED))
  expect(late).toEqual(Array.from({ length: 50 }, () => 503))
  const written = (await settle(calls)).filter(isSent)
  expect(await ledger.stored(channels)).toHaveLength(written.length)
  expect(await settle([node.writer.send(draft(channels[0] as string, 'afterwards'))])).toMatchObject([{ isNew: true }])
})

test('a connection lost during a change answers 503, and the change is rolled back', async () => {
  const [here] = (await ledger.addChannels(1, people)) as [string]
  const lost = node.writer.change(
    here,
    async (tx) => {
      await lockChannel(tx, here)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      const pid = rows[0]?.pid
      await sql`select pg_terminate_backend(${pid})`.execute(ledger.db)
      const find = sql`select from pg_stat_activity where pid = ${pid}`
      await expect.poll(async () => (await find.execute(ledger.db)).rows).toEqual([])
      return bumpRev(tx, here)
    },
    () => undefined,
  )
  expect(await settle<unknown>([lost])).toEqual([503])
  expect((await node.writer.send(draft(here, 'after the loss'))).message).toMatchObject({ seq: 1, rev: 1 })
})

test('after the database hung at the start of a change, acknowledged messages are stored', async () => {
  const { address, pause, resume } = await startFreezableProxy(ledger.url)
  const far = ledger.openWriter(address)
  const channels = await ledger.addChannels(8, people)
  await Promise.all(channels.map((id) => far.rewrite(id, 1, 'connections are made')))
  let others: Promise<unknown[]> | undefined
  const amid = far.writer.change(
    channels[4] as string,
    async (tx) => {
      await lockChannel(tx, channels[4] as string)
      pause()
      others = settle(channels.slice(0, 4).map((id) => far.rewrite(id, 1, 'x')))
      return lockChannel(tx, channels[4] as string)
    },
    () => undefined,
  )
  expect(await settle<unknown>([amid])).toEqual([503])
  expect(new Set(await others)).toEqual(new Set([503]))
  resume()
  const sent = await Promise.all(
    channels.flatMap((id) => upTo(5).map((n) => far.writer.send(draft(id, `sent ${n}`, `${id} ${n}`)))),
  )
  // Reads through another connection, which does not see an unfinished transaction.
  const rows = await ledger.stored(channels)
  expect(rows.map(({ id }) => id).sort()).toEqual(sent.map(({ message }) => message.id).sort())
})
