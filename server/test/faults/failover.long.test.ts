import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { prepareDatabase } from '../../prepare-database.ts'
import { atEnd } from '../support/cleanup.ts'
import { onDatabase, urlOf } from '../support/database.ts'
import { follow } from '../support/event-follower.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { listen, SECRET, serve, untilPeers, urlThrough } from '../support/parley.ts'
import { startReplicatedPostgres } from '../support/replica.ts'
import { type ApiClient, signUpClient } from '../support/server-process.ts'

// The database dies, and its replica takes over its address, with all commits or without the last ones.

async function migrated(url: string) {
  const { db } = openDatabase(url, { onError: () => {}, timeoutMs: 0 })
  await migrate(db)
  await db.destroy()
}

/** Two nodes with a person on each, using a database that can fail over. */
async function startWorkspace() {
  const { primary, replica } = await startReplicatedPostgres(migrated)
  const proxy = await startFaultProxy(`http://${new URL(primary.url).host}`)
  const databaseUrl = urlThrough(primary.url, proxy)
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-failover-'))
  atEnd(() => rm(dataDir, { recursive: true, force: true }))
  const prepare = (url = databaseUrl) => prepareDatabase(readConfig({ DATA_DIR: dataDir }), url, SECRET)
  await prepare()
  const nodes = [
    await serve(databaseUrl, { DATA_DIR: dataDir }),
    await serve(databaseUrl, { DATA_DIR: dataDir }),
  ] as const
  await untilPeers(...nodes)
  const ada = await signUpClient(nodes[0].address, 'ada')
  const bob: ApiClient = { ...(await signUpClient(nodes[0].address, 'bob')), address: nodes[1].address }
  const [general] = (await ada.call('GET', '/api/channels')).body.channels
  const say = async (person: ApiClient, content: string): Promise<string> => {
    const payload = { channelId: general.id, content, clientId: randomUUID() }
    const send = () => person.call('POST', '/api/messages', payload, person.address)
    let answer = await send().catch(() => undefined)
    while (answer?.status !== 201 && answer?.status !== 200) answer = await send().catch(() => undefined)
    return answer.body.id
  }
  const moveTo = ({ url }: { url: string }) => {
    proxy.cut()
    proxy.moveTo(`http://${new URL(url).host}`)
    proxy.restore()
  }
  return {
    primary,
    replica,
    moveTo,
    people: [ada, bob] as const,
    general: general.id as string,
    nodes,
    say,
    prepare,
    epoch: (url = databaseUrl) =>
      onDatabase(url, async (client) => (await client.query('select epoch from workspace')).rows[0].epoch as string),
    /** @param write runs before the nodes can write */
    async failOver(write: (url: string) => Promise<unknown> = async () => {}) {
      proxy.cut()
      await primary.kill()
      await replica.promote()
      await write(replica.url)
      moveTo(replica)
    },
    stored: () =>
      onDatabase(databaseUrl, async (client) => {
        const line = `select rev || ' ' || id || ' ' || content as line from messages where "channelId" = $1 order by seq`
        return (await client.query(line, [general.id])).rows.map((row) => row.line as string)
      }),
  }
}

type Workspace = Awaited<ReturnType<typeof startWorkspace>>

/** Follows the channel on both nodes, and expects both to end up with exactly the stored messages. */
async function followBoth({ people, general, stored }: Workspace) {
  const followers = people.map((person) => follow(person, [general]))
  for (const { epochs } of followers) await expect.poll(() => epochs.size).toBe(1)
  return {
    holdStored: async () => {
      for (const { sees } of followers) await expect.poll(() => sees(general)).toEqual(await stored())
    },
    epochs: followers.map(({ epochs }) => epochs),
    close: () => {
      for (const { close } of followers) close()
    },
  }
}

/** Expects the nodes to communicate over the bus, not only by polling. */
async function expectBus({ people, nodes, say }: Workspace) {
  await untilPeers(...nodes)
  const listener = await listen(nodes[1].address, people[1].token, true)
  await expect
    .poll(async () => {
      const id = await say(people[0], 'over the bus')
      await new Promise((resolve) => setTimeout(resolve, 50))
      return listener.all('message:created').some((it) => it.id === id)
    })
    .toBe(true)
  listener.socket.close()
}

const first = await startWorkspace()

test('nodes do not start on a replica that is not promoted, and running ones are not ready', async () => {
  const { prepare, replica, primary, moveTo, nodes, people, general, say } = first
  await expect(prepare(replica.url)).rejects.toThrow('The database of DATABASE_URL is a read replica')
  const isReady = async () => (await fetch(`${nodes[0].address}/readyz`)).status
  await say(people[0], 'before')
  await replica.untilReplayed()
  moveTo(replica)
  await expect.poll(isReady).toBe(503)
  const send = await people[0].call('POST', '/api/messages', { channelId: general, content: 'to the replica' })
  expect(send.status).toBe(503)
  moveTo(primary)
  await expect.poll(isReady).toBe(200)
  await say(people[1], 'after')
})

test('after a failover without loss, and after a crash, everybody continues in the same epoch', async () => {
  const workspace = first
  const { people, say, replica } = workspace
  const [ada, bob] = people
  const followers = await followBoth(workspace)
  for (let n = 0; n < 5; n++) await say(n % 2 ? ada : bob, `kept ${n}`)
  await replica.untilReplayed()
  const epoch = await workspace.epoch()
  await workspace.failOver()
  for (const person of people) await say(person, 'after it')
  await replica.kill()
  await replica.start()
  for (const person of people) await say(person, 'after a crash')
  await expectBus(workspace)
  await followers.holdStored()
  expect(await workspace.epoch()).toBe(epoch)
  for (const epochs of followers.epochs) expect([...epochs]).toEqual([epoch])
  followers.close()
})

test('after a failover that lost commits, the nodes start one new epoch, and clients hold exactly the stored messages', async () => {
  const workspace = await startWorkspace()
  const { people, say, replica, general } = workspace
  const [ada, bob] = people
  const followers = await followBoth(workspace)
  for (let n = 0; n < 5; n++) await say(n % 2 ? ada : bob, `kept ${n}`)
  const { id: quiet } = (await ada.call('POST', '/api/channels', { name: 'quiet' })).body
  await replica.untilReplayed()
  await replica.stopReceiving()
  for (let n = 0; n < 5; n++) await say(n % 2 ? ada : bob, `lost ${n}`)
  await ada.call('POST', '/api/messages', { channelId: quiet, content: 'lost' })
  // Cyd's account is lost as well.
  const cyd = await signUpClient(workspace.nodes[0].address, 'cyd')
  const listeners = await Promise.all(workspace.nodes.map(({ address }) => listen(address, cyd.token, true)))
  await followers.holdStored()
  const epoch = await workspace.epoch()
  // Other messages reuse the lost revisions, and more.
  await workspace.failOver((url) =>
    onDatabase(url, (client) =>
      client.query(
        `select send_messages_2(array_agg(gen_random_uuid()), array_agg($1::uuid), array_agg($2::text),
          array_agg('taken ' || n), array_agg(null::text), array_agg(null::jsonb), true) from generate_series(1, 8) n`,
        [general, ada.id],
      ),
    ),
  )
  await expect.poll(() => workspace.epoch().catch(() => epoch)).not.toBe(epoch)
  for (const person of people) await say(person, 'after it')
  await expectBus(workspace)
  await followers.holdStored()
  const next = await workspace.epoch()
  for (const epochs of followers.epochs) expect([...epochs]).toEqual([epoch, next])
  expect((await workspace.stored()).join()).not.toContain('lost')
  for (const { address } of workspace.nodes)
    expect((await cyd.call('GET', '/api/channels', undefined, address)).status).toBe(401)
  for (const { socket } of listeners) {
    expect(socket.connected).toBe(false)
    socket.close()
  }
  // A crash without loss changes nothing.
  await replica.kill()
  await replica.start()
  for (const person of people) await say(person, 'after a crash')
  await expectBus(workspace)
  await followers.holdStored()
  expect(await workspace.epoch()).toBe(next)
  // A node that starts now finds no change.
  await workspace.prepare()
  expect(await workspace.epoch()).toBe(next)
  followers.close()
})

test('a database restored while no node was running gets a new epoch at startup', async () => {
  for (const { app } of first.nodes) await app.close()
  const epoch = await first.epoch()
  await first.prepare()
  expect(await first.epoch()).toBe(epoch)
  await onDatabase(urlOf(first.replica.url, 'postgres'), (client) =>
    client.query('create database restored template parley'),
  )
  const restored = urlOf(first.replica.url, 'restored')
  await first.prepare(restored)
  const next = await first.epoch(restored)
  expect(next).not.toBe(epoch)
  await first.prepare(restored)
  expect(await first.epoch(restored)).toBe(next)
})
