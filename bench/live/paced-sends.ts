import { setTimeout as sleep } from 'node:timers/promises'
import { now } from './clock.ts'
import { type Lines, openLines } from './http-pool.ts'

export interface Sender {
  token: string
  channelId: string
}
export interface Sent {
  key: string
  channelId: string
  /** When it was due, and when its answer came. */
  dueAt: number
  answeredAt: number
  id: string
}
export interface Sending {
  port: number
  /** Taken in turn. */
  senders: Sender[]
  /** Makes the keys unlike those of any other run. */
  run: string
  /** Repeats a send, under its key, until it is answered, as the outbox does. */
  insists?: boolean
}

const CONNECTIONS = 200
/** Milliseconds until a repeat. */
const AGAIN = 500
/** As people write, in bytes about the middle of what they do. */
const CONTENT =
  'The build of this morning is out; two of the checks were slow, so I looked again, and all of it is green now.'

/** Sends at a rate that waits for nobody: each is due at its time, whatever became of those before. */
export async function sendAtRate(sending: Sending, perSecond: number, seconds: number): Promise<Sent[]> {
  return withLines(sending, async (send) => {
    const startedAt = now()
    const sent: Promise<Sent>[] = []
    const count = Math.round(perSecond * seconds)
    while (sent.length < count) {
      const dueAt = startedAt + (sent.length * 1000) / perSecond
      const early = dueAt - now()
      if (early > 0) await sleep(early)
      sent.push(send(sent.length, dueAt))
    }
    return Promise.all(sent)
  })
}

/** Sends as fast as answers come, with so many under way. */
export async function sendAtOnce(sending: Sending, underWay: number, seconds: number): Promise<Sent[]> {
  return withLines(sending, async (send) => {
    const until = now() + seconds * 1000
    const sent: Sent[] = []
    let next = 0
    const speak = async () => {
      while (now() < until) sent.push(await send(next++, now()))
    }
    await Promise.all(Array.from({ length: underWay }, speak))
    return sent
  })
}

async function withLines<T>(sending: Sending, act: (send: (n: number, dueAt: number) => Promise<Sent>) => Promise<T>) {
  const lines = openLines(sending.port, CONNECTIONS)
  try {
    return await act((n, dueAt) => send(lines, sending, n, dueAt))
  } finally {
    lines.close()
  }
}

async function send(lines: Lines, { senders, run, insists }: Sending, n: number, dueAt: number): Promise<Sent> {
  const { token, channelId } = senders[n % senders.length] as Sender
  const key = `${run}-${n}`
  const body = JSON.stringify({ channelId, content: CONTENT, clientId: key })
  const request = { method: 'POST', path: '/api/messages', headers: { authorization: `Bearer ${token}` }, body }
  for (;;) {
    try {
      const { status, text } = await lines.ask(request)
      if (status < 300) return { key, channelId, dueAt, answeredAt: now(), id: (JSON.parse(text) as { id: string }).id }
      if (!insists || status < 500) throw new Error(`a send was refused: ${status} ${text}`)
    } catch (error) {
      if (!insists) throw error
    }
    await sleep(AGAIN)
  }
}
