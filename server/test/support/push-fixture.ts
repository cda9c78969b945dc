import { sql } from 'kysely'
import { beforeAll, expect, vi } from 'vitest'
import type { PushDevice } from '#contract/push'
import { atEnd } from './cleanup.ts'
import { type Person, serve, startParley, untilPeers } from './parley.ts'
import { PUSH_SERVICE_SETTINGS, startPushService } from './push-service.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

export const PUSH_BOUNDS = { pushPollMs: 20, pushStartMs: 20 }

/** Two nodes, a push service, and people with phones. */
export async function startPushing() {
  const service = await startPushService()
  atEnd(() => service.close())
  const parley = await startParley(PUSH_SERVICE_SETTINGS, undefined, PUSH_BOUNDS)
  const other = await serve(parley.databaseUrl, PUSH_SERVICE_SETTINGS, undefined, PUSH_BOUNDS)
  const { db, push } = parley.app
  const { publicKey } = push
  const { ada, carol } = await parley.people('ada', 'carol')
  let made = 0
  beforeAll(() => untilPeers(parley, other))

  const until = (isTrue: () => Promise<boolean> | boolean) =>
    vi.waitUntil(isTrue, { timeout: STATE_TIMEOUT_MS, interval: 20 })

  /** Subscribes a browser. Returns its endpoint. */
  async function phoneOf(person: Person, more: object = {}) {
    const phone = service.subscribe(publicKey)
    const answer = await person.put('/api/push/subscription', { ...phone, publicKey, ...more })
    expect(answer).toMatchObject({ status: 204 })
    return phone.endpoint
  }

  /** A person with a browser that receives notifications. */
  async function withPhone(more: { hidesText?: boolean } = {}) {
    const person = await parley.person(`pocket-${made++}`)
    return { ...person, phone: await phoneOf(person, more) }
  }

  const directWith = async (...people: Person[]) =>
    (await ada.post('/api/direct-messages', { userIds: people.map(({ id }) => id) })).body.id as string

  async function channelWith(...people: Person[]) {
    const { body } = await ada.post('/api/channels', { name: `place ${made++}`, isPrivate: true })
    for (const { id } of people) await ada.post(`/api/channels/${body.id}/invite`, { userId: id })
    return body as { id: string; name: string }
  }

  const reply = async (by: Person, parentMessageId: string, content: string, more: object = {}) =>
    (await by.post('/api/threads/messages', { parentMessageId, content, ...more })).body

  const receivedAt = (phone: string) =>
    service.received.filter(({ endpoint }) => endpoint === phone).map(({ payload }) => JSON.parse(payload))
  const textsAt = (phone: string): string[] => receivedAt(phone).map(({ text }) => text)

  /** What arrived at a phone until everything said so far was decided about and sent. */
  async function settled(phone: string, meanwhile = async () => {}) {
    await until(async () => {
      await meanwhile()
      const undecided = await db.selectFrom('push_candidates').select('messageId').limit(1).execute()
      const waiting = await db
        .selectFrom('pushes')
        .innerJoin('push_subscriptions', 'push_subscriptions.id', 'pushes.subscriptionId')
        .select('pushes.id')
        .where('endpoint', '=', phone)
        .where('finishedAt', 'is', null)
        .limit(1)
        .execute()
      return undecided.length === 0 && waiting.length === 0
    })
    return textsAt(phone)
  }

  /** The first ones that arrive at a phone. */
  async function arrived(phone: string) {
    await until(() => textsAt(phone).length > 0)
    return textsAt(phone)
  }

  const devicesOf = async (person: Person): Promise<PushDevice[]> => (await person.get('/api/push')).body.devices
  const outcomesOf = async (person: Person) =>
    (await devicesOf(person)).flatMap(({ deliveries }) => deliveries.map(({ outcome }) => outcome))

  /** Lets what waits be due, except what is being changed. */
  async function passTime() {
    await sql`update push_subscriptions set "retryAt" = null where id in (
      select id from push_subscriptions where "retryAt" is not null for update skip locked
    )`.execute(db)
    await sql`update pushes set "dueAt" = clock_timestamp() where id in (
      select id from pushes where "finishedAt" is null and "dueAt" > clock_timestamp() for update skip locked
    )`.execute(db)
  }

  /** The deliveries that wait for a person. */
  const waitingFor = (person: Person) =>
    db
      .selectFrom('pushes')
      .innerJoin('push_subscriptions as s', 's.id', 'pushes.subscriptionId')
      .select(['pushes.attempts', 'pushes.detail', 'pushes.status', 's.failures', 's.retryAt', 's.failingSince'])
      .select(sql<number>`extract(epoch from "dueAt" - clock_timestamp())::float8`.as('seconds'))
      .where('s.userId', '=', person.id)
      .where('finishedAt', 'is', null)
      .execute()

  return {
    ada,
    carol,
    channelWith,
    devicesOf,
    directWith,
    other,
    outcomesOf,
    parley,
    passTime,
    phoneOf,
    publicKey,
    receivedAt,
    reply,
    service,
    settled,
    arrived,
    textsAt,
    until,
    waitingFor,
    withPhone,
  }
}
