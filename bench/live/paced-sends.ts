import { setTimeout as sleep } from 'node:timers/promises'
import { now } from './clock.ts'
import { createHttpPool, type HttpPool } from './http-pool.ts'

interface Sender {
  token: string
  channelId: string
}
export interface SentMessage {
  key: string
  channelId: string
  /** When the send was due, and when it was acknowledged. */
  dueAt: number
  answeredAt: number
  id: string
  /** Attempts that were refused or got no answer. */
  failures: number
}
interface SendPlan {
  /** Ports of the nodes, used in turn. */
  ports: () => number[]
  /** Used in turn. */
  senders: Sender[]
  /** Makes the keys of this run unique. */
  run: string
  /** Whether to repeat a send with its key until it is acknowledged, like the outbox. */
  repeats?: boolean
}

const MAX_CONNECTIONS = 200
const RETRY_INTERVAL_MS = 500
/** The size of a typical message. */
const CONTENT =
  'The build of this morning is out; two of the checks were slow, so I looked again, and all of it is green now.'

/** Sends at a fixed rate, regardless of earlier sends. @param end stops it early */
export async function sendAtRate(
  sending: SendPlan,
  perSecond: number,
  seconds: number,
  end?: AbortSignal,
): Promise<SentMessage[]> {
  return withPool(sending, async (send) => {
    const startedAt = now()
    const sent: Promise<SentMessage>[] = []
    const count = Math.round(perSecond * seconds)
    while (sent.length < count && !end?.aborted) {
      const dueAt = startedAt + (sent.length * 1000) / perSecond
      const early = dueAt - now()
      if (early > 0) await sleep(early)
      sent.push(send(sent.length, dueAt))
    }
    return Promise.all(sent)
  })
}

/** Sends as fast as responses arrive. @param underWay sends in flight */
export async function sendAtOnce(sending: SendPlan, underWay: number, seconds: number): Promise<SentMessage[]> {
  return withPool(sending, async (send) => {
    const until = now() + seconds * 1000
    const sent: SentMessage[] = []
    let next = 0
    const sendRepeatedly = async () => {
      while (now() < until) sent.push(await send(next++, now()))
    }
    await Promise.all(Array.from({ length: underWay }, sendRepeatedly))
    return sent
  })
}

async function withPool<T>(
  sending: SendPlan,
  act: (send: (n: number, dueAt: number) => Promise<SentMessage>) => Promise<T>,
) {
  const httpPool = createHttpPool(sending.ports, MAX_CONNECTIONS)
  try {
    return await act((n, dueAt) => send(httpPool, sending, n, dueAt))
  } finally {
    httpPool.close()
  }
}

async function send(
  httpPool: HttpPool,
  { senders, run, repeats }: SendPlan,
  n: number,
  dueAt: number,
): Promise<SentMessage> {
  const { token, channelId } = senders[n % senders.length] as Sender
  const key = `${run}-${n}`
  const body = JSON.stringify({ channelId, content: CONTENT, clientId: key })
  const request = { method: 'POST', path: '/api/messages', headers: { authorization: `Bearer ${token}` }, body }
  for (let failures = 0; ; failures++) {
    try {
      const { status, text } = await httpPool.send(request)
      if (status < 300)
        return { key, channelId, dueAt, answeredAt: now(), id: (JSON.parse(text) as { id: string }).id, failures }
      if (!repeats || status < 500) throw new Error(`a send was refused: ${status} ${text}`)
    } catch (error) {
      if (!repeats) throw error
    }
    await sleep(RETRY_INTERVAL_MS)
  }
}
