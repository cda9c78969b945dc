import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../report/measure.ts'
import { cpuSeconds, familyOf, proportionalBytes } from '../report/process-usage.ts'
import type { Peer, Prepared } from './peer.ts'

export interface PeerPace {
  people: number
  senders: number
  seconds: number
  sendsPerSecond: number
}

/** Values by the name of the table's row; undefined if the system doesn't report one. */
export type Figures = Record<string, number | undefined>

const TEXT =
  'The build of this morning is out; two of the checks were slow, so I looked again, and all of it is green now.'
const DELIVERY_TIMEOUT_MS = 30_000
const RECHECK_MS = 50
const MB = 1e6

/** Opens a connection of each person to a prepared server, and returns a function that measures one round. */
export async function openMeasuring<P extends Prepared>(peer: Peer<P>, prepared: P, pace: PeerPace) {
  const { people, senders, seconds, sendsPerSecond } = pace
  /** For each text sent at a fixed rate: how many people received it, and when the last of them did. */
  const received = new Map<string, { count: number; lastAt: number }>()
  let sent = 0
  const nextText = () => `${sent++} ${TEXT}`
  for (let person = 0; person < people; person++)
    await peer.listen(prepared, person, (text) => {
      const entry = received.get(text)
      if (entry) Object.assign(entry, { count: entry.count + 1, lastAt: performance.now() })
    })

  const processor = () => cpuSeconds(familyOf(prepared.pid))
  /** CPU seconds per thousand of the count that an action returns. */
  async function metered(act: () => Promise<number>) {
    const before = processor()
    const startedAt = performance.now()
    const count = await act()
    const rate = (count * 1000) / (performance.now() - startedAt)
    const after = processor()
    const used = before === undefined || after === undefined ? undefined : ((after - before) * 1000) / count
    return { rate, used }
  }

  /** Each person repeats the action as soon as it is done. */
  async function repeated(act: (person: number) => Promise<unknown>): Promise<number> {
    const until = performance.now() + seconds * 1000
    let count = 0
    const repeat = async (person: number) => {
      for (; performance.now() < until; count++) await act(person)
    }
    await Promise.all(Array.from({ length: senders }, (_, person) => repeat(person)))
    return count
  }

  /** Sends at a fixed rate; returns the milliseconds from when each send was due until everybody had it. */
  async function delivered(): Promise<number[]> {
    const startedAt = performance.now()
    const due = new Map<string, number>()
    const sends: Promise<void>[] = []
    for (let n = 0; n < sendsPerSecond * seconds; n++) {
      const dueAt = startedAt + (n * 1000) / sendsPerSecond
      await sleep(Math.max(0, dueAt - performance.now()))
      const text = nextText()
      due.set(text, dueAt)
      received.set(text, { count: 0, lastAt: 0 })
      sends.push(peer.send(prepared, n % people, text))
    }
    await Promise.all(sends)
    const latest = performance.now() + DELIVERY_TIMEOUT_MS
    const areMissing = () => [...received.values()].some(({ count }) => count < people)
    while (areMissing()) {
      if (performance.now() > latest) throw new Error(`${peer.name} did not deliver all messages to everybody`)
      await sleep(RECHECK_MS)
    }
    const wrong = [...received.values()].filter(({ count }) => count !== people)
    if (wrong.length > 0) throw new Error(`${peer.name} delivered messages more than once`)
    const times = [...due].map(([text, dueAt]) => (received.get(text)?.lastAt as number) - dueAt)
    received.clear()
    return times
  }

  return async (): Promise<Figures> => {
    const sends = await metered(() => repeated((person) => peer.send(prepared, person, nextText())))
    const pages = await metered(() =>
      repeated(async (person) => {
        const count = await peer.page(prepared, person)
        if (count !== 50) throw new Error(`a page of ${peer.name} has ${count} messages`)
      }),
    )
    let times: number[] = []
    const quiet = await metered(async () => {
      times = await delivered()
      return times.length
    })
    const memory = proportionalBytes(familyOf(prepared.pid))
    return {
      [`durable sends, ${senders} senders, /s`]: sends.rate,
      'processor of 1,000 of them, s': sends.used,
      [`newest pages, ${senders} readers, /s`]: pages.rate,
      'processor of 1,000 of them, s ': pages.used,
      [`${sendsPerSecond} sends/s to ${people} sockets: p50 to the last, ms`]: median(times),
      'processor of 1,000 sends, s': quiet.used,
      'memory of all processes, MB': memory && memory / MB,
    }
  }
}
