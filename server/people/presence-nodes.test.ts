import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import type { Profile } from '#contract/users'
import { startFaultProxy } from '../test/support/fault-proxy.ts'
import { longTest } from '../test/support/long.ts'
import {
  type Listener,
  listen,
  type Person,
  SECRET,
  serve,
  startParley,
  untilPeers,
  urlThrough,
} from '../test/support/parley.ts'
import { openServerProcess } from '../test/support/server-process.ts'

// Who is online, as seen from another node.

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')
const other = await serve(parley.databaseUrl)
await untilPeers(parley, other)

type Node = Pick<typeof other, 'app'>
async function profileAt({ app }: Node, { id }: Person) {
  const people: Profile[] = (
    await app.inject({ url: '/api/users', headers: { authorization: `Bearer ${bob.token}` } })
  ).json()
  return people.find((it) => it.id === id)
}
const statusAt = async (node: Node, person: Person) => (await profileAt(node, person))?.status
const becomes = (node: Node, person: Person, status: string) => expect.poll(() => statusAt(node, person)).toBe(status)
const changesOf = ({ id }: Person, { all }: Listener) =>
  all('user:status_changed').flatMap(({ userId, status }) => (userId === id ? [status] : []))

test('people online on one node are online on all, for clients, lists and @here', async () => {
  const { amy, ben } = await parley.people('amy', 'ben')
  const [here, there] = [await bob.listen(), await listen(other.address, bob.token)]
  const amys = await listen(other.address, amy.token)
  for (const watcher of [here, there])
    await watcher.waitFor('user:status_changed', ({ userId, status }) => userId === amy.id && status === 'online')
  expect([await statusAt(parley, amy), await statusAt(other, amy)]).toEqual(['online', 'online'])
  expect(await statusAt(parley, ben)).toBe('offline')

  // So they are on a node that starts later.
  const late = await serve(parley.databaseUrl)
  await becomes(late, amy, 'online')
  await late.app.close()

  const [general] = (await ada.get('/api/channels')).body.channels as Channel[]
  const { body: before } = await amy.get(`/api/channels/${general?.id}`)
  await ada.say(general?.id as string, '@here are you?')
  const { body: after } = await amy.get(`/api/channels/${general?.id}`)
  expect(after.mentions - before.mentions).toBe(1)

  await ada.put('/api/users/status', { user_status: '🦉' })
  await there.waitFor('user:status_changed', ({ userId, user_status }) => userId === ada.id && user_status === '🦉')

  amys.socket.emit('status:update', 'offline')
  for (const watcher of [here, there])
    await watcher.waitFor('user:status_changed', ({ userId, status }) => userId === amy.id && status === 'offline')
  await becomes(parley, amy, 'offline')
  for (const watcher of [here, there]) expect(changesOf(amy, watcher)).toEqual(['online', 'offline'])
  for (const { socket } of [here, there, amys]) socket.close()
})

test('a person is idle if they are on all nodes, for clients, lists and nodes that start later', async () => {
  const { ivo } = await parley.people('ivo')
  const [here, there] = [await bob.listen(), await listen(other.address, bob.token)]
  const [phone, laptop] = [await ivo.listen(), await listen(other.address, ivo.token)]
  await becomes(parley, ivo, 'online')
  await becomes(other, ivo, 'online')
  phone.socket.emit('status:update', 'idle')
  laptop.socket.emit('status:update', 'idle')
  const isIvos = ({ userId }: { userId: string }) => userId === ivo.id
  for (const watcher of [here, there])
    await watcher.waitFor('user:status_changed', (it) => isIvos(it) && it.isIdle === true)
  const late = await serve(parley.databaseUrl)
  const idleAt = () => Promise.all([parley, other, late].map(async (node) => (await profileAt(node, ivo))?.isIdle))
  await expect.poll(idleAt).toEqual([true, true, true])
  await late.app.close()
  const counts = [here, there].map((watcher) => watcher.all('user:status_changed').length)
  laptop.socket.emit('status:update', 'online')
  for (const [nth, watcher] of [here, there].entries())
    await expect
      .poll(() => watcher.all('user:status_changed').slice(counts[nth]).filter(isIvos))
      .toEqual([expect.not.objectContaining({ isIdle: true })])
  expect(await profileAt(parley, ivo)).not.toHaveProperty('isIdle')
  for (const { socket } of [here, there, phone, laptop]) socket.close()
})

longTest('people who move to another node never go offline, even if the first one stops', async () => {
  const { eli, fay } = await parley.people('eli', 'fay')
  const leaving = await serve(parley.databaseUrl)
  await untilPeers(parley, other, leaving)
  const watcher = await bob.listen()
  const [first] = [await listen(leaving.address, eli.token), await listen(leaving.address, fay.token)]
  for (const person of [eli, fay]) await watcher.waitFor('user:status_changed', ({ userId }) => userId === person.id)
  const ended = once(first.socket as never, 'disconnect')
  await Promise.all([leaving.app.close(), ended])
  await listen(other.address, eli.token)
  // Fay does not come back.
  await watcher.waitFor('user:status_changed', ({ userId, status }) => userId === fay.id && status === 'offline')
  expect(changesOf(eli, watcher)).toEqual(['online'])
  expect(await statusAt(parley, eli)).toBe('online')
  watcher.socket.close()
})

longTest('a node without the bus keeps the last known presence of others, and every node recovers', async () => {
  const { gil, hal } = await parley.people('gil', 'hal')
  const proxy = await startFaultProxy(`http://${new URL(parley.databaseUrl).host}`)
  const cut = await serve(parley.databaseUrl, {}, undefined, undefined, urlThrough(parley.databaseUrl, proxy))
  await untilPeers(parley, other, cut)
  const [gils, hals] = [await gil.listen(), await listen(cut.address, hal.token)]
  await becomes(cut, gil, 'online')
  await becomes(parley, hal, 'online')
  proxy.cut()
  await expect.poll(() => cut.app.bus.isUnavailable()).toBe(true)
  // To the others the node is gone, and after the grace period so are its people.
  await becomes(parley, hal, 'offline')
  expect(await statusAt(cut, gil)).toBe('online')
  gils.socket.emit('status:update', 'offline')
  await becomes(parley, gil, 'offline')
  expect(await statusAt(cut, gil)).toBe('online')
  proxy.restore()
  await becomes(cut, gil, 'offline')
  await becomes(parley, hal, 'online')
  for (const { socket } of [gils, hals]) socket.close()
  await cut.app.close()
})

longTest('the people of a killed or suspended node go offline, unless they come back elsewhere', async () => {
  const { ida, jan, kim } = await parley.people('ida', 'jan', 'kim')
  const settings = { DATABASE_URL: parley.databaseUrl, SECRET }
  const nodes = [await openServerProcess(settings), await openServerProcess(settings)]
  await Promise.all(nodes.map(({ start }) => start()))
  const [killed, suspended] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  await expect.poll(() => parley.app.bus.peers().length).toBe(3)
  const watcher = await bob.listen()
  for (const [node, person] of [
    [killed, ida],
    [killed, jan],
    [suspended, kim],
  ] as const) {
    await listen(node.address, person.token)
    await watcher.waitFor('user:status_changed', ({ userId }) => userId === person.id)
  }
  process.kill(suspended.pid() as number, 'SIGSTOP')
  await killed.kill('SIGKILL')
  await listen(other.address, jan.token)
  for (const person of [ida, kim])
    await watcher.waitFor('user:status_changed', ({ userId, status }) => userId === person.id && status === 'offline')
  expect(changesOf(jan, watcher)).toEqual(['online'])
  process.kill(suspended.pid() as number, 'SIGCONT')
  await expect.poll(() => parley.app.bus.peers().length).toBe(2)
  await listen(suspended.address, kim.token)
  await becomes(parley, kim, 'online')
  expect(await statusAt(other, jan)).toBe('online')
})
