import { setTimeout as sleep } from 'node:timers/promises'
import { countersOf, verifyStored, waitUntilComplete } from '../live/all-received.ts'
import { now } from '../live/clock.ts'
import { waitUntilIdle } from '../live/cpu-usage.ts'
import { sendAtRate } from '../live/paced-sends.ts'
import { assignSockets } from '../live/populated-server.ts'
import { startSwarm } from '../live/start-servers.ts'
import { watchReadiness } from './readiness.ts'
import type { TwoNodes } from './two-nodes.ts'

export interface RestartPace {
  sockets: number
  sendsPerSecond: number
  /** Seconds of sending before and after the restart. */
  before: number
  after: number
}

export interface RestartRow {
  sockets: number
  sendsPerSecond: number
  sends: number
  /** Attempts to send that were refused or got no answer; each was repeated with its key. */
  failedSends: number
  /** The longest time until a send was acknowledged, including retries. */
  longestSendSeconds: number
  /** Seconds that sockets were disconnected. */
  absences: number
  absenceP50: number
  absenceP95: number
  absenceP99: number
  longestAbsence: number
  /** Seconds from the restart until the last socket was back, and until the last one had every message. */
  backSeconds: number
  completeSeconds: number
}

/** Kills one of two nodes; its sockets move to the other one. */
export async function measureKillOfOne(nodes: TwoNodes, pace: RestartPace): Promise<RestartRow> {
  const row = await measureUnderLoad(nodes, pace, () => nodes.nodes[1].kill())
  await nodes.start(1)
  return row
}

/** Restarts both nodes one after the other, as in an upgrade. */
export const measureRollingRestart = (nodes: TwoNodes, pace: RestartPace): Promise<RestartRow> =>
  measureUnderLoad(nodes, pace, async (untilAllReady) => {
    for (const which of [0, 1] as const) {
      await nodes.nodes[which].stop()
      await nodes.start(which)
      await untilAllReady()
    }
  })

/**
 * Sockets on two nodes behind a load balancer listen, each in five channels, and people send, while `happen` runs. Sockets
 * reconnect after the browser's delays, and fetch what they missed like the browser.
 * @throws Error unless each acknowledged message is stored once and received by every socket of its channel
 */
async function measureUnderLoad(
  nodes: TwoNodes,
  { sockets, sendsPerSecond, before: beforeSeconds, after: afterSeconds }: RestartPace,
  happen: (untilAllReady: () => Promise<void>) => Promise<unknown>,
): Promise<RestartRow> {
  const { pool } = nodes.database
  const people = assignSockets(nodes, sockets)
  const channelIds = [...new Set(people.flatMap((person) => person.channelIds))]
  const place = new Map(channelIds.map((id, n) => [id, n]))
  const before = await countersOf(pool, channelIds)
  const all = nodes.nodes.map(({ port }) => port)
  let ready = all
  const swarm = startSwarm()
  const stopWatching = watchReadiness(all, (ports) => {
    ready = ports
    void swarm.turnTo(ports)
  })
  const untilAllReady = async () => {
    while (ready.length < all.length) await sleep(50)
  }
  try {
    await swarm.gather({
      ports: all,
      tokens: people.map(({ token }) => token),
      revs: Object.fromEntries(channelIds.map((id) => [id, before.get(id)?.rev as number])),
      inside: people.map((person) => person.channelIds.map((id) => place.get(id) as number)),
      reconnects: true,
    })
    for (const { pid } of nodes.nodes) await waitUntilIdle(pid, 200)
    // Not in #general, where a hundred sends a second would be half a million deliveries.
    const senders = people.map(({ token, channelIds: [, other] }) => ({ token, channelId: other as string }))
    const sending = { ports: () => ready, senders, run: `restart-${now().toFixed(0)}`, repeats: true }
    const end = new AbortController()
    const underWay = sendAtRate(sending, sendsPerSecond, Number.POSITIVE_INFINITY, end.signal)
    await sleep(beforeSeconds * 1000)
    const happenedAt = now()
    await happen(untilAllReady)
    await sleep(afterSeconds * 1000)
    end.abort()
    const sent = await underWay
    const after = await countersOf(pool, channelIds)
    const progress = await waitUntilComplete(swarm, sockets, after)
    await verifyStored(pool, sent, before, after)
    const absences = progress.absences.map((ms) => ms / 1000).sort((a, b) => a - b)
    const absence = (part: number) => absences[Math.floor((absences.length - 1) * part)] ?? 0
    return {
      sockets,
      sendsPerSecond,
      sends: sent.length,
      failedSends: sent.reduce((sum, { failures }) => sum + failures, 0),
      longestSendSeconds: Math.max(...sent.map(({ dueAt, answeredAt }) => answeredAt - dueAt)) / 1000,
      absences: absences.length,
      absenceP50: absence(0.5),
      absenceP95: absence(0.95),
      absenceP99: absence(0.99),
      longestAbsence: absence(1),
      backSeconds: (Math.max(...progress.backAt) - happenedAt) / 1000,
      completeSeconds: (Math.max(...progress.completeAt) - happenedAt) / 1000,
    }
  } finally {
    stopWatching()
    await swarm.stop()
  }
}
