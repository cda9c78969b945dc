import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../../contract/test/properties.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { longTest } from '../support/long.ts'
import { actAs, listen, type Person, serve, startParley, untilPeers, urlThrough } from '../support/parley.ts'

// New members receive everything written from then on, or are told to refetch, whichever nodes they, the inviter and the writers
// use.

const parley = await startParley()
const { databaseUrl } = parley
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

type Node = Pick<typeof parley, 'app' | 'address'>
/** Shorter and longer than the time between two polls for changes. */
const BUS_DELAY_MS = 60
const POLLED_MS = 1500

const at = ({ app, address }: Node, { token }: Person) => actAs(app, address, token)

/**
 * The channels that a client knows, with their revisions, by the browser's rule (docs/subsystems/sync.md): it fetches only if
 * told to.
 */
async function openClient(node: Node, person: Person) {
  const revs = new Map<string, number>()
  /** Channels that it lists without being a member. The event of their creation, if it comes late, does not change that. */
  const others = new Set<string>()
  const call = at(node, person)
  const { socket } = await listen(node.address, person.token, true)

  async function fetchAll() {
    const { body } = await call.get('/api/channels?limit=100')
    for (const channel of body.channels) hold(channel)
  }
  function hold({ id, rev, isMember }: { id: string; rev: number; isMember: boolean }) {
    if (!isMember) return void others.add(id)
    others.delete(id)
    revs.set(id, Math.max(rev, revs.get(id) ?? 0))
  }
  async function fetchOne(id: string) {
    const { status, body } = await call.get(`/api/channels/${id}`)
    if (status === 200) hold(body)
    if (status !== 200 || !body.isMember) revs.delete(id)
  }
  // One after the other, so that an older response never replaces a newer one.
  let asked = Promise.resolve()
  let waiting = 0
  const ask = (fetch: () => Promise<void>) => {
    waiting++
    asked = asked.then(fetch).finally(() => waiting--)
  }
  const onEvent = (event: string, payload: Record<string, unknown>) => {
    const id = String(payload['channelId'] ?? payload['id'])
    const rev = Number(payload['rev'])
    const known = revs.get(id)
    if (event === 'ready') return ask(fetchAll)
    if (event === 'channel:left' || event === 'channel:deleted') return ask(() => fetchOne(id))
    if (payload['rev'] === undefined) return undefined
    // A response in flight may predate it.
    const isMine = (payload['user'] as { id: string } | undefined)?.id === person.id
    if (event === 'channel:member_joined' && isMine && waiting > 0) return ask(() => fetchOne(id))
    const isLatest = event === 'channel:rev' || event === 'channel:joined'
    const isAdded = event === 'channel:created' && (payload['memberIds'] as string[]).includes(person.id)
    if (isAdded && known === undefined && !others.has(id)) return void revs.set(id, rev)
    // It may have arrived before the event that starts the channel.
    if (known === undefined) return isLatest ? undefined : ask(() => fetchOne(id))
    if (rev > known + 1 || (isLatest && rev > known)) return ask(() => fetchOne(id))
    return void revs.set(id, Math.max(rev, known))
  }
  socket.onAny(onEvent)
  ask(fetchAll)
  await asked
  return { person, revs, close: () => socket.close() }
}

/** The channels that a person's clients should know in the end. */
async function channelsOf({ id }: Person) {
  const rows = await parley.app.db
    .selectFrom('memberships')
    .innerJoin('channels', 'channels.id', 'channelId')
    .select(['channels.id', 'rev'])
    .where('userId', '=', id)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row.rev]))
}

/** A node whose bus goes through a faulty network. */
async function nodeWithProxy() {
  const proxy = await startFaultProxy(`http://${new URL(databaseUrl).host}`)
  return { proxy, ...(await serve(databaseUrl, {}, undefined, undefined, urlThrough(databaseUrl, proxy))) }
}

test.each([
  ['the bus tells of them', BUS_DELAY_MS],
  ['the poll tells of them', POLLED_MS],
])('a member added on one node misses no message that another node published before %s', async (_, delayMs) => {
  const far = await nodeWithProxy()
  await untilPeers(parley, far)
  far.proxy.delayBy(delayMs)
  const client = await openClient(parley, bob)
  const eves = await eve.listen()
  for (let round = 0; round < 5; round++) {
    const { body: channel } = await at(far, ada).post('/api/channels', {
      name: `new-${delayMs}-${round}`,
      isPrivate: true,
      members: [bob.id],
    })
    await ada.patch(`/api/channels/${channel.id}`, { topic: 'secret' })
    expect((await ada.say(channel.id, 'at once')).rev).toBe(3)
    await expect.poll(() => client.revs.get(channel.id)).toBe(3)
  }
  // Everything late has arrived.
  const marker = await at(far, ada).post('/api/channels', { name: `marker-${delayMs}` })
  await eves.waitFor('channel:created', ({ id }) => id === marker.body.id)
  await sleep(delayMs)
  expect(JSON.stringify(eves.events)).not.toContain(`new-${delayMs}`)
  eves.socket.close()
  client.close()
  await far.app.close()
})

interface Step {
  what: 'create' | 'invite' | 'join' | 'leave' | 'remove' | 'say' | 'cut' | 'slow' | 'heal' | 'connect'
  who: number
  node: number
  channel: number
  pauseMs: number
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'create',
    'create',
    'invite',
    'invite',
    'join',
    'leave',
    'remove',
    'say',
    'say',
    'say',
    'cut',
    'slow',
    'heal',
    'connect',
  ),
  who: fc.nat(1),
  node: fc.nat(2),
  channel: fc.nat(3),
  pauseMs: fc.constantFrom(0, 0, 0, 5, 30),
})

let made = 0

longTest(
  'after random membership changes on three nodes with a flaky bus, everybody has the latest state of their channels',
  {
    timeout: 600_000,
  },
  async () => {
    const cuttable = [await nodeWithProxy(), await nodeWithProxy()]
    const nodes: Node[] = [parley, ...cuttable]
    await untilPeers(...nodes)
    const people = [bob, cyd]

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        const clients = await Promise.all(nodes.flatMap((node) => people.map((person) => openClient(node, person))))
        const channels: string[] = []
        const acts: Promise<unknown>[] = []
        const act = async ({ what, who, node, channel }: Step) => {
          const [person, place] = [people[who] as Person, nodes[node] as Node]
          const id = channels[channel % channels.length]
          const url = `/api/channels/${id}`
          if (what === 'cut') cuttable[who]?.proxy.cut()
          if (what === 'slow') cuttable[who]?.proxy.delayBy(BUS_DELAY_MS)
          if (what === 'heal') cuttable[who]?.proxy.restore()
          if (what === 'connect') clients.push(await openClient(place, person))
          if (what === 'create') {
            const settings = { name: `random-${made++}`, isPrivate: channel % 2 === 0, members: [person.id] }
            channels.push((await at(place, ada).post('/api/channels', settings)).body.id)
          }
          if (id === undefined) return
          if (what === 'join' || what === 'leave') await at(place, person).post(`${url}/${what}`)
          if (what === 'invite') await at(place, ada).post(`${url}/invite`, { userId: person.id })
          if (what === 'remove') await at(place, ada).post(`${url}/remove-member`, { userId: person.id })
          if (what === 'say') await at(place, ada).say(id, 'x')
        }
        for (const it of steps) {
          acts.push(act(it))
          await sleep(it.pauseMs)
        }
        await Promise.all(acts)
        for (const { person, revs } of clients) await expect.poll(() => revs).toEqual(await channelsOf(person))
        for (const { close } of clients) close()
        for (const id of channels) await ada.delete(`/api/channels/${id}`)
        for (const { proxy } of cuttable) proxy.restore()
      }),
      { ...tries(8), endOnFailure: true },
    )
  },
)
