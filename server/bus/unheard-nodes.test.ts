import { expect, inject, test } from 'vitest'
import { startFaultProxy } from '../test/support/fault-proxy.ts'
import { listen, serve, startParley, untilPeers, urlThrough } from '../test/support/parley.ts'

const metricOf = async ({ address }: { address: string }, name: string) =>
  Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${address}/metrics`)).text())?.[1])

test('nodes of one database on different buses say so, and until then hear each other by the polls', async () => {
  const log: string[] = []
  const parley = await startParley({ LOG_LEVEL: 'warn' }, { write: (line) => void log.push(line) })
  const ada = await parley.person('ada')
  // As if it were another Redis: notifications do not leave a database.
  const elsewhere = new URL(inject('postgresUrl')).href
  const other = await serve(parley.databaseUrl, {}, undefined, undefined, elsewhere)
  const same = await serve(parley.databaseUrl)
  const proxy = await startFaultProxy(`http://${new URL(parley.databaseUrl).host}`)
  const cut = await serve(parley.databaseUrl, {}, undefined, undefined, urlThrough(parley.databaseUrl, proxy))
  await untilPeers(parley, same, cut)
  proxy.cut()

  const listener = await listen(other.address, ada.token)
  const { body: channel } = await ada.post('/api/channels', { name: 'kitchen' })
  await listener.waitFor('channel:member_joined', ({ channelId }) => channelId === channel.id)

  for (const node of [parley, same]) await expect.poll(() => metricOf(node, 'parley_nodes_unheard')).toBeGreaterThan(0)
  await expect.poll(() => metricOf(other, 'parley_nodes_unheard')).toBe(3)
  // It says itself that its bus is away.
  expect(await metricOf(cut, 'parley_nodes_unheard')).toBe(0)
  expect(log.filter((line) => line.includes('REDIS_URL is not the same on all nodes'))).toHaveLength(1)
})
