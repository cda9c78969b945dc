import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { now } from './clock.ts'
import { waitUntilIdle } from './cpu-usage.ts'
import { type SentMessage, sendAtRate } from './paced-sends.ts'
import { assignSockets, type PopulatedServer } from './populated-server.ts'
import { type Swarm, startSwarm } from './start-servers.ts'

export interface KillPace {
  sendsPerSecond: number
  /** Seconds of sending before and after the kill; at least until all sockets have caught up. */
  before: number
  after: number
}

export interface KillRow {
  sockets: number
  sendsPerSecond: number
  /** Seconds from the kill until the server listened again, */
  restartSeconds: number
  /** until half of the sockets, and the last one, were back in their channels, */
  backP50Seconds: number
  backSeconds: number
  /** and until they had caught up. */
  completeP50Seconds: number
  completeSeconds: number
  /** The longest time until a send was acknowledged, including retries. */
  longestSendSeconds: number
  sends: number
  /** Missed messages that sockets fetched, in total. */
  caughtUp: number
  /** Reconnection attempts. */
  attempts: number
  /** Zero, otherwise the measurement fails: */
  lost: 0
  duplicates: 0
}

/** Seconds within which all sockets must have caught up. */
const RECOVERY_TIMEOUT_S = 120

/**
 * Kills the server while sockets listen, each in five channels, and people send with keys that they repeat
 * until acknowledged; restarts it at once on the same port. Sockets reconnect after the browser's delays, and fetch
 * what they missed as the browser does.
 * @throws Error if a message that was acknowledged is not stored once, or not with every socket of its channel
 */
export async function measureKill(populatedServer: PopulatedServer, sockets: number, pace: KillPace): Promise<KillRow> {
  const { pool } = populatedServer.database
  const people = assignSockets(populatedServer, sockets)
  const channelIds = [...new Set(people.flatMap((person) => person.channelIds))]
  const place = new Map(channelIds.map((id, n) => [id, n]))
  const before = await countersOf(pool, channelIds)
  const swarm = startSwarm()
  try {
    await swarm.gather({
      port: populatedServer.parley.port,
      tokens: people.map(({ token }) => token),
      revs: Object.fromEntries(channelIds.map((id) => [id, before.get(id)?.rev as number])),
      inside: people.map((person) => person.channelIds.map((id) => place.get(id) as number)),
      reconnects: true,
    })
    await waitUntilIdle(populatedServer.parley.pid, 200)
    // Not in the channel of all: there a hundred sends a second would be half a million deliveries.
    const senders = people.map(({ token, channelIds: [, other] }) => ({ token, channelId: other as string }))
    const run = `kill-${now().toFixed(0)}`
    const sending = { port: populatedServer.parley.port, senders, run, repeats: true }
    const underWay = sendAtRate(sending, pace.sendsPerSecond, pace.before + pace.after)
    await sleep(pace.before * 1000)
    const killedAt = now()
    const restartSeconds = await populatedServer.restart()
    const sent = await underWay
    const after = await countersOf(pool, channelIds)
    const progress = await waitUntilComplete(swarm, sockets, after)
    await verifyStored(pool, sent, before, after)
    const since = (times: number[], part: number) => {
      const sorted = times.map((at) => (at - killedAt) / 1000).sort((a, b) => a - b)
      return sorted[Math.floor((sorted.length - 1) * part)] as number
    }
    return {
      sockets,
      sendsPerSecond: pace.sendsPerSecond,
      restartSeconds,
      backP50Seconds: since(progress.backAt, 0.5),
      backSeconds: since(progress.backAt, 1),
      completeP50Seconds: since(progress.completeAt, 0.5),
      completeSeconds: since(progress.completeAt, 1),
      longestSendSeconds: Math.max(...sent.map(({ dueAt, answeredAt }) => answeredAt - dueAt)) / 1000,
      sends: sent.length,
      caughtUp: progress.caughtUp,
      attempts: progress.attempts,
      lost: 0,
      duplicates: 0,
    }
  } finally {
    await swarm.stop()
  }
}

type Counters = Map<string, { seq: number; rev: number }>

async function countersOf(pool: pg.Pool, channelIds: string[]): Promise<Counters> {
  const { rows } = await pool.query<{ id: string; seq: number; rev: number }>(
    'select id, seq, rev from channels where id = any($1::uuid[])',
    [channelIds],
  )
  return new Map(rows.map(({ id, seq, rev }) => [id, { seq, rev }]))
}

/** Waits until every socket has every revision of its channels. */
async function waitUntilComplete(swarm: Swarm, sockets: number, counters: Counters) {
  const latest = now() + RECOVERY_TIMEOUT_S * 1000
  for (;;) {
    const progress = await swarm.progress()
    if (progress.faults.length > 0) throw new Error(progress.faults.join('; '))
    const behind = Object.entries(progress.revs).filter(([id, rev]) => rev !== counters.get(id)?.rev)
    if (behind.length === 0 && progress.complete === sockets) return progress
    if (now() > latest)
      throw new Error(
        `${progress.back} of ${sockets} are back, ${progress.complete} complete, ${behind.length} channels behind`,
      )
    await sleep(200)
  }
}

/** Checks that each key is stored once, with the acknowledged message, and that the channels have no other new messages. */
async function verifyStored(pool: pg.Pool, sent: SentMessage[], before: Counters, after: Counters) {
  const { rows } = await pool.query<{ rows: number; right: number }>(
    `select count(m.id) as rows, count(m.id) filter (where m.id = acknowledged.id and m."channelId" = acknowledged.channel) as right
     from unnest($1::text[], $2::uuid[], $3::uuid[]) as acknowledged(key, id, channel) left join messages m on m."clientId" = acknowledged.key`,
    [sent.map(({ key }) => key), sent.map(({ id }) => id), sent.map(({ channelId }) => channelId)],
  )
  const [{ rows: stored, right } = { rows: 0, right: 0 }] = rows
  let grown = 0
  for (const [id, { seq }] of after) grown += seq - (before.get(id)?.seq ?? 0)
  if (stored !== sent.length || right !== sent.length || grown !== sent.length)
    throw new Error(
      `${sent.length} sends were acknowledged; ${stored} rows have their keys, ${right} are theirs, ${grown} are new`,
    )
}
