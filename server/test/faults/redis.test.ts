import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, test } from 'vitest'
import { type RedisServer, redisProgram, startRedis } from '../services/redis.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { isLong, longTest } from '../support/long.ts'
import { listen, serve, startParley, untilPeers } from '../support/parley.ts'
import { openTwoNodes } from '../support/two-nodes.ts'

// Two nodes with Redis, which is killed, emptied, suspended, cut off, mute or slow. LONG=1 does more rounds.
const rounds = isLong ? 20 : 1

const PASSWORD = 'wallaby t@lk here%'
const redis = redisProgram ? await startRedis('--requirepass', PASSWORD) : (undefined as unknown as RedisServer)

describe.skipIf(!redisProgram)('over Redis', async () => {
  const log: string[] = []
  const logTo = { write: (line: string) => void log.push(line) }
  const urlOf = (address: string) => address.replace('http://', `redis://:${encodeURIComponent(PASSWORD)}@`)
  const settings = { LOG_LEVEL: 'trace' }
  const parley = await startParley(settings, logTo, undefined, urlOf(redis.address))
  const { databaseUrl } = parley
  const { ada, bob, general, at, say, hears, untilConnected, stored, writeDuring } = await openTwoNodes(
    parley,
    databaseUrl,
  )
  const proxy = await startFaultProxy(redis.address)
  const other = await serve(databaseUrl, settings, logTo, undefined, urlOf(proxy.address))

  const metricOf = async ({ address }: typeof other, name: string) =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${address}/metrics`)).text())?.[1])
  const areUnavailable = () => [parley, other].map(({ app }) => app.bus.isUnavailable())

  async function onRedis(act: (client: Redis) => Promise<unknown>) {
    const client = new Redis(urlOf(redis.address))
    await act(client).finally(() => client.disconnect())
  }

  afterEach(() => {
    expect(log.join('')).not.toMatch(/wallaby|t%40lk|t@lk/)
    expect(log.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })

  test('no message is lost if it is killed, restarted empty, flushed or suspended', async () => {
    await untilPeers(parley, other)
    const listener = await listen(other.address, bob.token)
    await writeDuring(other, async () => {
      for (let n = 0; n < rounds; n++) {
        await onRedis((client) => client.client('KILL', 'TYPE', 'PUBSUB'))
        await sleep(100)
        await redis.kill()
        await redis.start()
        await untilPeers(parley, other)
      }
      // Until both nodes are reconnected, events between them are lost and clients receive `ready` instead.
      await untilConnected(listener, ada)
      await expect.poll(areUnavailable).toEqual([false, false])
      const missed = await metricOf(other, 'parley_bus_missed_total')
      await onRedis((client) => client.flushall())
      await hears(listener, await say(ada, 'after it was flushed'))
      expect(await metricOf(other, 'parley_bus_missed_total')).toBe(missed)

      const resume = redis.freeze()
      // More than the queue holds.
      const large = { kind: 'no such kind', text: 'x'.repeat(10_000) }
      for (let n = 0; n < 1000; n++) parley.app.bus.send(large)
      expect(await metricOf(parley, 'parley_bus_dropped_total')).toBeGreaterThan(100)
      await expect.poll(areUnavailable).toEqual([true, true])
      const readies = listener.all('ready').length
      resume()
      await expect.poll(areUnavailable).toEqual([false, false])
      // The loss is detected.
      await expect.poll(() => listener.all('ready').length).toBeGreaterThan(readies)
    })
    listener.socket.close()
  })

  longTest('a node that is cut off or deaf reports it, and its clients end up with all messages', async () => {
    await writeDuring(other, async () => {
      for (const how of ['cut', 'mute'] as const) {
        proxy[how]()
        await expect.poll(() => metricOf(other, 'parley_bus_unavailable')).toBe(1)
        if (how === 'mute') proxy.cut()
        proxy.restore()
        await expect.poll(() => metricOf(other, 'parley_bus_unavailable')).toBe(0)
      }
    })
  })

  test('if it is slow, it delays neither sends nor the clients of the same node', async () => {
    const [here, there] = [await listen(parley.address, ada.token), await listen(other.address, bob.token)]
    proxy.delayBy(1500)
    const id = await say(at(bob, other), 'from the slow node')
    await hears(there, id)
    expect(here.all('message:created').map((it) => it.id)).not.toContain(id)
    await hears(here, id)
    proxy.delayBy(0)
    for (const { socket } of [here, there]) socket.close()
  })

  longTest('a node starts without it, reports that once, and finds its peers when it is available', async () => {
    await redis.kill()
    const seen = log.length
    const late = await serve(databaseUrl, settings, logTo, undefined, urlOf(redis.address))
    const id = await say(at(ada, late), 'without Redis')
    expect((await stored()).join()).toContain(id)
    await expect.poll(() => metricOf(late, 'parley_bus_unavailable')).toBe(1)
    const said = log.slice(seen).filter((line) => line.includes('the bus is not connected'))
    expect(said.length).toBeLessThanOrEqual(3)
    expect(said.join()).toContain('ECONNREFUSED')
    await redis.start()
    await untilPeers(parley, other, late)
    await expect.poll(() => metricOf(late, 'parley_bus_unavailable')).toBe(0)
    await late.app.close()
  })

  test('a wrong password is reported without revealing it', async () => {
    const seen = log.length
    const url = urlOf(redis.address).replace('redis://:', 'redis://:wallaby-wrong-')
    const node = await serve(databaseUrl, settings, logTo, undefined, url)
    await expect.poll(() => log.slice(seen).join()).toContain('WRONGPASS')
    await node.app.close()
  })

  test('an eavesdropper cannot read what the nodes send', async () => {
    const heard: string[] = []
    const stranger = new Redis(urlOf(redis.address))
    stranger.on('pmessageBuffer', (_, __, packet: Buffer) => heard.push(packet.toString('latin1')))
    await stranger.psubscribe('*')
    const listener = await listen(other.address, bob.token)
    const id = await say(ada, 'between us: 4711')
    await hears(listener, id)
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    for (const packet of heard)
      for (const secret of ['4711', 'message:created', id, general.id]) expect(packet).not.toContain(secret)
    stranger.disconnect()
    listener.socket.close()
  })
})
