import { beforeAll, expect, test } from 'vitest'
import { calls } from '#contract/calls'
import type { AnyEndpoint } from '#contract/endpoint'
import type { Row } from '../support/access-row.ts'
import { rows } from '../support/expected-access.ts'
import {
  type Conversation,
  type ConversationKind,
  createConversation,
  createPeople,
  type People,
} from '../support/fixture.ts'
import { isLong } from '../support/long.ts'
import { formOf, type Listener, listen, type Person, serve, untilPeers } from '../support/parley.ts'

// Every call × every role, on private content that contains marks: checks the status, that a rejected call changed nothing, and
// that no response, no other user's socket on any node and no log line contains a mark.

const all: Record<string, AnyEndpoint> = Object.assign({}, ...Object.values(calls))
const kinds = ['private', 'direct', 'public'] as const

let people: People
type Sockets = Record<'root' | 'eve' | 'cyd' | 'bob' | 'gem', Listener>
/** On the node of the calls, and on another one. */
let nodes: [Sockets, Sockets]
const worlds: Conversation[] = []
/** How many events Cyd had received on each node when removed from a conversation, by channel id. */
const eventsBefore = new Map<string, number[]>()

beforeAll(async () => {
  people = await createPeople()
  const other = await serve(people.databaseUrl, { LOG_LEVEL: 'trace' }, { write: (line) => people.log.push(line) })
  await untilPeers(people, other)
  const open = async (address: string) => {
    const { root, eve, cyd, bob, gem } = people
    const all = await Promise.all([root, eve, cyd, bob, gem].map(({ token }) => listen(address, token)))
    const [atRoot, atEve, atCyd, atBob, atGem] = all as [Listener, Listener, Listener, Listener, Listener]
    return { root: atRoot, eve: atEve, cyd: atCyd, bob: atBob, gem: atGem }
  }
  nodes = [await open(people.address), await open(other.address)]
})

async function newWorld(kind: ConversationKind) {
  const conversation = await createConversation(people, kind, nodes[0].cyd)
  const { channelId } = conversation
  if (kind !== 'direct') await nodes[1].cyd.waitFor('channel:left', (it) => it.channelId === channelId)
  worlds.push(conversation)
  eventsBefore.set(
    channelId,
    nodes.map(({ cyd }) => cyd.events.length),
  )
  return conversation
}

/** Calls that change nothing for others, or concern no conversation, can share one. */
const shared = new Map<ConversationKind, Promise<Conversation>>()
async function worldFor({ method }: AnyEndpoint, row: Row, kind: ConversationKind) {
  const world = shared.get(kind) ?? newWorld(kind)
  shared.set(kind, world)
  const common = await world
  return method === 'GET' || row.isOwn || !names(row, common) ? common : newWorld(kind)
}

/** Whether a call refers to a conversation. */
function names(row: Row, conversation: Conversation) {
  const { params, query, body } = row.input(conversation, people)
  const isBinary = body instanceof Blob || Object.values(body ?? {}).some((it) => it instanceof Blob)
  const text = JSON.stringify({ params, query, body })
  return isBinary || conversation.secrets.some((secret) => text.includes(secret))
}

async function make(call: AnyEndpoint, row: Row, conversation: Conversation, as: Person | undefined) {
  const { params = {}, query = {}, body } = row.input(conversation, people)
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const requested = `${path}?${new URLSearchParams(query)} ${JSON.stringify(body ?? null)}`
  const answer = await people.app.inject({
    method: call.method,
    url: Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
    ...(body !== undefined && { payload: call.takes ? formOf(body) : (body as object) }),
  })
  return { status: answer.statusCode, text: answer.body + JSON.stringify(answer.headers), requested }
}

const revOf = (conversation: Conversation) =>
  people.app.db.selectFrom('channels').select('rev').where('id', '=', conversation.channelId).executeTakeFirstOrThrow()

test('every call has a row in the matrix, and every row a call', () => {
  expect(Object.keys(rows).map((name) => name.split(' ')[0])).toEqual(expect.arrayContaining(Object.keys(all)))
  expect(Object.keys(all)).toEqual(expect.arrayContaining(Object.keys(rows).map((name) => name.split(' ')[0])))
})

/** Direct messages pass through the same door as private channels: those with the same statuses are left to the long run. */
const isSame = ({ private: inPrivate, direct }: Row) => inPrivate?.[0] === direct?.[0] && inPrivate?.[1] === direct?.[1]
const cells = Object.entries(rows).flatMap(([name, row]) =>
  kinds
    .filter((kind) => row[kind] && (isLong || kind !== 'direct' || !isSame(row)))
    .map((kind) => [name, kind, row] as const),
)

test.each(cells)('%s, %s', async (name, kind, row) => {
  const call = all[name.split(' ')[0] as string] as AnyEndpoint
  const [outsider, member, former, owner] = row[kind] as [number, number, number?, number?]
  const { root, ada, bob, cyd, dan, eve, zed, gil, gem } = people
  const conversation = await worldFor(call, row, kind)

  const refused = [
    ['signed out', undefined, 401],
    ['deactivated', dan, 401],
    ['outsider', eve, outsider],
    // Guests may not even know of a public channel.
    ['guest', gem, row.guest ?? (row.private ?? row.direct)?.[0] ?? outsider],
    ['admin', root, row.admin ?? outsider],
    ...(former === undefined ? [] : [['former member', cyd, former] as const]),
  ] as const
  const { rev } = await revOf(conversation)
  for (const [role, person, status] of refused) {
    const answer = await make(call, row, conversation, person)
    expect(`${role}: ${answer.status}`).toBe(`${role}: ${status}`)
    if (kind === 'public' && role !== 'guest') continue
    const [mark, ...ids] = conversation.secrets as [string, ...string[]]
    const isReported = row.showsReported && role === 'admin'
    if (isReported) continue
    const own = row.showsNames && role === 'admin' && kind === 'private' ? ids : [mark, ...ids]
    const secrets = row.showsPeople && role !== 'guest' ? own : [...own, zed.id]
    // A response may echo the request's content.
    const shown = secrets.filter((secret) => answer.text.includes(secret) && !answer.requested.includes(secret))
    expect(shown, `shown to the ${role}`).toEqual([])
  }
  const doesNothing = refused.every(([, , status]) => status >= 400) || kind !== 'public'
  if (doesNothing) expect((await revOf(conversation)).rev, 'a refused call changed something').toBe(rev)

  const inside = [
    ['guest who is a member', gil, row.guestMember ?? member],
    ['member', bob, member],
    ...(owner === undefined ? [] : [['owner', ada, owner] as const]),
  ] as const
  let world: Conversation | undefined = doesNothing ? conversation : undefined
  for (const [role, person, status] of inside) {
    world ??= await worldFor(call, row, kind)
    const answer = await make(call, row, world, person)
    expect(`${role}: ${answer.status}`).toBe(`${role}: ${status}`)
    // A successful call may have changed it for the others.
    if (answer.status < 400 && !row.isOwn) world = undefined
  }
})

test('no other socket and no log line contained anything private', async () => {
  const { ada, root, log, danListened, lobbyId } = people
  // A listener that receives this event has received all earlier ones.
  const { body: last } = await ada.post('/api/channels', { name: 'the-last-one' })
  const { id: lastForGuests } = await root.say(lobbyId, 'the last one')
  await Promise.all(
    nodes.flatMap(({ gem, ...others }) => [
      gem.waitFor('message:created', ({ id }) => id === lastForGuests),
      ...Object.values(others).map((it) => it.waitFor('channel:created', ({ id }) => id === last.id)),
    ]),
  )
  const closed = worlds.filter(({ kind }) => kind !== 'public')
  const secrets = closed.flatMap((conversation) => conversation.secrets)
  expect(secrets.length).toBeGreaterThan(200)
  expect(leaks(danListened.events, secrets), 'the deactivated user received').toEqual([])
  const marks = worlds.flatMap((conversation) => conversation.secrets)
  for (const [node, { bob, eve, root, cyd, gem }] of nodes.entries()) {
    expect(leaks(gem.events, [...marks, people.zed.id]), 'the guest received').toEqual([])
    expect(leaks(bob.events, secrets).length, 'a member receives').toBeGreaterThan(100)
    expect(leaks(eve.events, secrets), 'the outsider received').toEqual([])
    expect(leaks(root.events, secrets), 'the owner of the workspace received').toEqual([])
    for (const { channelId, secrets } of closed.filter(({ kind }) => kind === 'private')) {
      // Polling may report again that Cyd has left.
      const after = cyd.events
        .slice(eventsBefore.get(channelId)?.[node])
        .filter(({ event }) => event !== 'channel:left')
      expect(leaks(after, secrets), 'the former member received').toEqual([])
    }
  }
  expect(danListened.socket.connected).toBe(false)
  expect(log.length).toBeGreaterThan(0)
  expect(log.filter((line) => /quartz|Bearer|correct horse/.test(line))).toEqual([])
})

/** The form of secrets: ids, and the marks of `createConversation`. */
const SECRET = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:quartz|open)-\d+\./g

/** What was found in an event that was searched. */
const secretsIn = new Map<Listener['events'][number], string[]>()

/** The secrets contained in some events. There are many of both, so every text is searched once, for all secrets. */
function leaks(events: Listener['events'], secrets: string[]) {
  for (const secret of secrets) expect(secret.match(SECRET)).toEqual([secret])
  const wanted = new Set(secrets)
  return events.flatMap((it) => {
    const found = secretsIn.get(it) ?? [...new Set(JSON.stringify(it).match(SECRET))]
    secretsIn.set(it, found)
    return found.filter((secret) => wanted.has(secret)).map((secret) => `${it.event} ${secret}`)
  })
}
