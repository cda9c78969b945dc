import { expect, inject, test } from 'vitest'
import { startFaultProxy } from '../test/support/fault-proxy.ts'
import { listen, serve, startParley, untilPeers, urlThrough } from '../test/support/parley.ts'

const metricOf = async ({ address }: { address: string }, name: string) =>
  Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${address}/metrics`)).text())?.[1])

/** Covers the next check of a node that checked before the others were running. */
const LOOK_TIMEOUT_MS = 2 * 60_000

test('nodes that share a database but not the bus report that, and still communicate by polling', async () => {
  const log: string[] = []
  const parley = await startParley()
  const ada = await parley.person('ada')
  const proxy = await startFaultProxy(`http://${new URL(parley.databaseUrl).host}`)
  const cut = await serve(parley.databaseUrl, {}, undefined, undefined, urlThrough(parley.databaseUrl, proxy))
  await untilPeers(parley, cut)
  proxy.cut()
  await expect.poll(() => cut.app.bus.isUnavailable()).toBe(true)
  // Concurrently, because each checks three seconds after its start, and then once a minute.
  const [same, other] = await Promise.all([
    serve(parley.databaseUrl, { LOG_LEVEL: 'warn' }, { write: (line) => void log.push(line) }),
    // Like a different Redis: notifications do not cross databases.
    serve(parley.databaseUrl, {}, undefined, undefined, new URL(inject('postgresUrl')).href),
  ])
  await expect.poll(() => same.app.bus.peers()).toHaveLength(1)

  const listener = await listen(other.address, ada.token)
  const { body: channel } = await ada.post('/api/channels', { name: 'kitchen' })
  await listener.waitFor('channel:member_joined', ({ channelId }) => channelId === channel.id)

  const unheard = (node: { address: string }) =>
    expect.poll(() => metricOf(node, 'parley_nodes_unreachable'), { timeout: LOOK_TIMEOUT_MS })
  await unheard(same).toBe(2)
  await unheard(other).toBe(3)
  // It reports its own unavailable bus instead.
  expect(await metricOf(cut, 'parley_nodes_unreachable')).toBe(0)
  expect(log.filter((line) => line.includes('REDIS_URL is not the same on all nodes'))).toHaveLength(1)
})
