import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import { test as base, beforeAll, expect, inject } from 'vitest'
import { type RedisServer, redisProgram, startRedis } from '../test/services/redis.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { onDatabase } from '../test/support/database.ts'
import { startFaultProxy } from '../test/support/fault-proxy.ts'
import { isLong } from '../test/support/long.ts'
import { createChunkJoiner, openPostgresTransport, toChunks } from './postgres-transport.ts'
import { openRedisTransport } from './redis-transport.ts'
import { MAX_PACKET_BYTES, type OpenTransport, type Transport } from './transport.ts'

// The requirements on every transport, tested with each of them.

const log = { debug() {}, info() {}, warn() {}, error() {} }

interface Engine {
  isHere: boolean
  open: (channel: string, address: string) => OpenTransport
  address: () => string
  /** Terminates all its connections from inside the engine. */
  disconnectAll: () => Promise<unknown>
  /** Sends an arbitrary payload, like anybody who can reach the engine. */
  forge: (channel: string, payload: string) => Promise<unknown>
}

const postgresUrl = () => inject('postgresUrl')

const engines: Record<string, Engine> = {
  PostgreSQL: {
    isHere: true,
    open: (channel, address) => {
      const url = new URL(postgresUrl())
      url.host = new URL(address).host
      return openPostgresTransport({ databaseUrl: url.href, channel, log })
    },
    address: () => `http://${new URL(postgresUrl()).host}`,
    disconnectAll: () =>
      onDatabase(postgresUrl(), (client) =>
        // Limited to this database, because other test files have separate ones in this cluster.
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'parley bus' and datname = current_database()`,
        ),
      ),
    forge: async (channel, payload) => {
      const role = `nobody_${channel}`
      const url = new URL(postgresUrl())
      await onDatabase(url.href, (client) => client.query(`create role ${role} login password 'x'`))
      Object.assign(url, { username: role, password: 'x' })
      const client = new pg.Client({ connectionString: url.href })
      await client.connect()
      await client.query('select pg_notify($1, $2)', [channel, payload])
      await client.end()
      await onDatabase(postgresUrl(), (owner) => owner.query(`drop role ${role}`))
    },
  },
  Redis: {
    isHere: redisProgram !== undefined,
    open: (channel, address) => openRedisTransport({ redisUrl: address.replace('http:', 'redis:'), channel, log }),
    address: () => redis.address,
    disconnectAll: () => onRedis((client) => client.client('KILL', 'TYPE', 'PUBSUB')),
    forge: (channel, payload) => onRedis((client) => client.publish(channel, payload)),
  },
}

let redis: RedisServer
beforeAll(async () => {
  if (redisProgram) redis = await startRedis()
})

async function onRedis(act: (client: Redis) => Promise<unknown>) {
  const client = new Redis(redis.url)
  await act(client)
  client.disconnect()
}

let channels = 0
const newChannel = () => `test_${process.pid}_${channels++}`

async function node(openTransport: OpenTransport) {
  const packets: Buffer[] = []
  let connections = 0
  const transport: Transport = openTransport({
    onPacket: (packet) => packets.push(packet),
    onConnected: () => connections++,
    onDisconnected() {},
  })
  atEnd(() => transport.close())
  await expect.poll(() => connections).toBe(1)
  const texts = () => packets.map(String)
  /** Like the link, retries until the engine has accepted it. */
  async function send(text: string): Promise<void> {
    await transport.send(Buffer.from(text)).catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return send(text)
    })
  }
  return { transport, packets, texts, connections: () => connections, send }
}

for (const [name, engine] of Object.entries(engines)) {
  const test = base.skipIf(!engine.isHere)
  const pair = async (channel = newChannel(), address = engine.address()) => {
    const a = await node(engine.open(channel, engine.address()))
    const b = await node(engine.open(channel, address))
    return { channel, a, b }
  }

  test(`${name}: packets reach all nodes and their sender, whole, once and in order`, async () => {
    const { a, b } = await pair()
    const sent = [
      Buffer.alloc(0),
      Buffer.from('Grüße 👋\0\n\\\'"'),
      randomBytes(1),
      randomBytes(1_000_000),
      ...Array.from({ length: 300 }, (_, i) => randomBytes(i * 50)),
      Buffer.from('same'),
      Buffer.from('same'),
      Buffer.alloc(100_000, 'a'),
    ]
    for (const packet of sent) await a.transport.send(packet)
    for (const { packets } of [a, b]) {
      await expect.poll(() => packets.length).toBe(sent.length)
      expect(Buffer.concat(packets).equals(Buffer.concat(sent))).toBe(true)
      expect(packets.map(({ length }) => length)).toEqual(sent.map(({ length }) => length))
    }
    await expect(a.transport.send(Buffer.alloc(MAX_PACKET_BYTES + 1))).rejects.toThrow('too large')
  })

  test(`${name}: concurrent packets of two nodes arrive whole, each node's in order`, async () => {
    const { a, b } = await pair()
    const many = async ({ transport }: typeof a, mark: string) => {
      for (let i = 0; i < 500; i++) await transport.send(Buffer.from(`${mark}${i}${mark.repeat((i % 5) * 9000)}`))
    }
    await Promise.all([many(a, 'a'), many(b, 'b')])
    for (const { texts } of [a, b]) {
      await expect.poll(() => texts().length).toBe(1000)
      for (const mark of ['a', 'b'])
        expect(
          texts()
            .filter((text) => text.startsWith(mark))
            .map((text) => Number.parseInt(text.slice(1), 10)),
        ).toEqual(Array.from({ length: 500 }, (_, i) => i))
    }
  })

  test(`${name}: workspaces with different channels receive nothing from each other`, async () => {
    const [{ a, b }, other] = [await pair(), await pair()]
    await a.send('ours')
    await other.a.send('theirs')
    await expect.poll(() => [b.texts(), other.b.texts()]).toEqual([['ours'], ['theirs']])
  })

  test(`${name}: a connection that is repeatedly terminated reconnects automatically`, async () => {
    const { a, b } = await pair()
    for (let i = 1; i <= 5; i++) {
      await engine.disconnectAll()
      await expect.poll(() => [a, b].every((it) => it.connections() > i)).toBe(true)
      await a.send(`round ${i}`)
      await expect.poll(() => b.texts().at(-1)).toBe(`round ${i}`)
    }
  })

  base.runIf(engine.isHere && isLong)(
    `${name}: a network that is cut, frozen and restored comes back by itself`,
    async () => {
      const proxy = await startFaultProxy(engine.address())
      const { a, b } = await pair(newChannel(), proxy.address)
      await a.send('before')
      await expect.poll(() => b.texts()).toEqual(['before'])
      proxy.cut()
      await expect(b.transport.send(Buffer.from('cut'))).rejects.toThrow()
      proxy.restore()
      await expect.poll(b.connections).toBe(2)
      proxy.freeze()
      // It drops a connection that doesn't respond.
      await expect(b.transport.send(Buffer.from('frozen'))).rejects.toThrow()
      proxy.cut()
      proxy.restore()
      await expect.poll(b.connections).toBe(3)
      await a.send('after')
      await expect.poll(() => b.texts().at(-1)).toBe('after')
    },
  )

  test(`${name}: foreign payloads arrive unchanged, and damage no packet`, async () => {
    const { channel, a, b } = await pair()
    const forged = ['', 'x', '0/2:aaaa', '1/2:', '5/3:aaaa', '0/9999:aaaa', '-1/0:', `0/1:${'a'.repeat(7000)}`]
    for (const payload of forged) await engine.forge(channel, payload)
    await a.send('a'.repeat(50_000))
    await expect.poll(() => b.texts().at(-1)).toBe('a'.repeat(50_000))
    expect(b.packets.length).toBeLessThanOrEqual(forged.length + 1)
  })

  test(`${name}: closing ends in time, even while the engine does not respond`, async () => {
    const proxy = await startFaultProxy(engine.address())
    const { a, b } = await pair(newChannel(), proxy.address)
    proxy.freeze()
    const sending = b.transport.send(Buffer.from('lost')).catch(() => 'rejected')
    await b.transport.close()
    expect(await sending).toBe('rejected')
    await a.transport.close()
    await expect(a.transport.send(Buffer.from('late'))).rejects.toThrow()
  })
}

base('PostgreSQL: chunks that are missing, repeated or mixed up make no packet', () => {
  const packets: Buffer[] = []
  const join = createChunkJoiner((packet) => packets.push(packet))
  const packet = randomBytes(50_000)
  const chunks = toChunks(packet)
  for (const chunk of chunks) join(chunk)
  expect(packets).toEqual([packet])
  for (const chunk of chunks.toSpliced(2, 1)) join(chunk)
  for (const chunk of chunks.slice(1)) join(chunk)
  expect(packets.filter((it) => it.equals(packet))).toHaveLength(1)
  for (const chunk of chunks) join(chunk)
  expect(packets.at(-1)).toEqual(packet)
})
