import { setTimeout as sleep } from 'node:timers/promises'
import { countersOf, verifyStored, waitUntilComplete } from './all-received.ts'
import { now } from './clock.ts'
import { waitUntilIdle } from './cpu-usage.ts'
import { sendAtRate } from './paced-sends.ts'
import { assignSockets, type PopulatedServer } from './populated-server.ts'
import { startSwarm } from './start-servers.ts'

export interface KillPace {
  sendsPerSecond: number
  /** Seconds of sending before and after the kill. Continues until all sockets have caught up. */
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

/**
 * Kills the server while sockets listen, each in five channels, and people send, retrying with the same key until acknowledged.
 * Restarts it immediately on the same port. Sockets reconnect after the browser's delays, and fetch what they missed like the
 * browser.
 * @throws Error unless each acknowledged message is stored once and received by every socket of its channel
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
      ports: [populatedServer.parley.port],
      tokens: people.map(({ token }) => token),
      revs: Object.fromEntries(channelIds.map((id) => [id, before.get(id)?.rev as number])),
      inside: people.map((person) => person.channelIds.map((id) => place.get(id) as number)),
      reconnects: true,
    })
    await waitUntilIdle(populatedServer.parley.pid, 200)
    // Not in #general, where a hundred sends a second would be half a million deliveries.
    const senders = people.map(({ token, channelIds: [, other] }) => ({ token, channelId: other as string }))
    const run = `kill-${now().toFixed(0)}`
    const sending = { ports: () => [populatedServer.parley.port], senders, run, repeats: true }
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
