import { type Answer, openConnection, requestText } from './http-connection.ts'
import type { Calls, Reads, Sends } from './jobs.ts'
import type { OutcomeCounter } from './outcome-counter.ts'

/** A connection's next request, and a check of its response: the message's id, '' if it has none, undefined if wrong. */
interface Speaker {
  next(): { request: string; key: string }
  check(answer: Answer, count: number): string | undefined
}

export async function call(
  { port, connections, tokens, perSecond, load }: Calls,
  seconds: number,
  counter: OutcomeCounter,
) {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  let count = 0
  const senders = open.map((connection, n) => {
    const headers = { authorization: `Bearer ${tokens[n % tokens.length]}` }
    const { next, check } = load.kind === 'sends' ? sending(load, n, headers) : reading(load, n, connections, headers)
    /** Sends one request; its latency counts from `since`. */
    return async (since: number) => {
      const { request, key } = next()
      const answer = await connection.ask(request)
      const ms = performance.now() - since
      const id = answer.status >= 200 && answer.status < 300 ? check(answer, ++count) : undefined
      if (id === undefined) return counter.wrong(`${answer.status} ${answer.body.toString().slice(0, 300)}`)
      counter.took(ms)
      if (id !== '') counter.stored(id, key)
    }
  })
  counter.begin()
  try {
    await (perSecond === undefined ? closedLoop(senders, seconds) : openLoop(senders, seconds, perSecond))
  } finally {
    for (const connection of open) connection.close()
  }
}

type SendNext = (since: number) => Promise<void>

/** Closed loop: each connection sends its next request after a response. */
async function closedLoop(senders: SendNext[], seconds: number) {
  const until = performance.now() + seconds * 1000
  const repeat = async (sendNext: SendNext) => {
    for (let now = performance.now(); now < until; now = performance.now()) await sendNext(now)
  }
  await Promise.all(senders.map(repeat))
}

/** Open loop: requests go to any free connection; the time that a request waits for one is included. */
function openLoop(senders: SendNext[], seconds: number, perSecond: number): Promise<void> {
  const all = Math.round(perSecond * seconds)
  const startedAt = performance.now()
  const dueAt = (n: number) => startedAt + (n * 1000) / perSecond
  const free = [...senders]
  let sent = 0
  let answered = 0
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      for (const now = performance.now(); sent < all && free.length > 0 && dueAt(sent) <= now; )
        repeat(free.pop() as SendNext).catch(end)
    }, 1)
    async function repeat(sendNext: SendNext) {
      do {
        await sendNext(dueAt(sent++))
        if (++answered === all) end()
      } while (sent < all && dueAt(sent) <= performance.now())
      free.push(sendNext)
    }
    function end(error?: unknown) {
      clearInterval(timer)
      if (error) reject(error)
      else resolve()
    }
  })
}

function sending(
  { path, channels, contents, run, isStored }: Sends,
  n: number,
  headers: Record<string, string>,
): Speaker {
  let turn = n
  return {
    next() {
      const key = `${run}-${n}-${turn}`
      const channelId = channels[turn % channels.length]
      const content = contents[turn % contents.length]
      turn++
      return { request: requestText('POST', path, headers, JSON.stringify({ channelId, content, clientId: key })), key }
    },
    check({ body }) {
      if (!isStored) return body[0] === OPEN_BRACE ? '' : undefined
      const found = body.indexOf('"id":"')
      return found >= 0 ? body.toString('latin1', found + 6, found + 42) : undefined
    },
  }
}

function reading(
  { paths, body, expects }: Reads,
  n: number,
  connections: number,
  headers: Record<string, string>,
): Speaker {
  let turn = n
  const method = body === undefined ? 'GET' : 'POST'
  return {
    next() {
      const path = paths[turn % paths.length] as string
      turn += connections
      return { request: requestText(method, path, headers, body), key: '' }
    },
    check({ body }, count) {
      if ('bytes' in expects) return body.length === expects.bytes ? '' : undefined
      return isPage(body, expects.messages, count % 100 === 1) ? '' : undefined
    },
  }
}

/** Checks that it is a JSON array. Only some pages are parsed and checked completely, because that is expensive. */
function isPage(body: Buffer, size: number, isRead: boolean): boolean {
  if (body[0] !== OPEN_BRACKET || body[body.length - 1] !== CLOSE_BRACKET) return false
  if (!isRead) return true
  const page = JSON.parse(body.toString()) as { seq: number }[]
  return page.length === size && page.every(({ seq }, i) => i === 0 || seq === (page[i - 1]?.seq ?? 0) + 1)
}

const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
