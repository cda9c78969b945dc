// Makes load in a process of its own and checks what it gets. Started by bench.ts, which hands over jobs.
import { type Answer, openConnection, requestText } from './connection.ts'

export interface Job {
  port: number
  connections: number
  seconds: number
  /** Bearer tokens; connection i speaks as tokens[i % length]. */
  tokens: string[]
  load: Sends | Pages
}

export interface Sends {
  kind: 'sends'
  path: string
  /** Channels, taken in turn by each connection. */
  channels: string[]
  contents: string[]
  /** What makes the keys of this run unlike those of any other. */
  run: string
  /** Whether the answer is a message: an echo has no id. */
  isStored: boolean
}

export interface Pages {
  kind: 'pages'
  /** What is asked, without `before`. */
  path: string
  /** Each request asks before another seq between these, beginning at a place of the round's; else for the newest page. */
  before?: { from: number; to: number; round: number } | undefined
  /** Messages that each page must hold. */
  size: number
}

export interface Outcome {
  /** Answers that were right, per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
  /** Answers that were not a 2xx or not what was asked for; the first of them. */
  wrong: number
  firstWrong: string | undefined
  /** Acknowledged messages: ids, and the keys they were sent with at the same places. */
  ids: string[]
  keys: string[]
}

process.on('message', async (job: Job) => {
  process.send?.(await perform(job))
})
// Its end is the end of whoever started it.
process.on('disconnect', () => process.exit())

async function perform({ port, connections, seconds, tokens, load }: Job): Promise<Outcome> {
  const latencies: number[] = []
  const ids: string[] = []
  const keys: string[] = []
  let wrong = 0
  let firstWrong: string | undefined
  let count = 0
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000

  async function speak(n: number) {
    const connection = await openConnection(port)
    const headers = { authorization: `Bearer ${tokens[n % tokens.length]}` }
    const { next, check } = load.kind === 'sends' ? sending(load, n, headers) : reading(load, n, connections, headers)
    try {
      for (let at = performance.now(); at < until; at = performance.now()) {
        const { request, key } = next()
        const answer = await connection.ask(request)
        latencies.push(performance.now() - at)
        count++
        const id = answer.status >= 200 && answer.status < 300 ? check(answer, count) : undefined
        if (id === undefined) {
          wrong++
          firstWrong ??= `${answer.status} ${answer.body.toString().slice(0, 300)}`
        } else if (id !== '') {
          ids.push(id)
          keys.push(key)
        }
      }
    } finally {
      connection.close()
    }
  }

  const ends = await Promise.allSettled(Array.from({ length: connections }, (_, n) => speak(n)))
  const elapsed = (performance.now() - startedAt) / 1000
  for (const end of ends) {
    if (end.status === 'fulfilled') continue
    wrong++
    firstWrong ??= String(end.reason)
  }
  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.floor((latencies.length - 1) * part)] ?? 0
  return { rate: (count - wrong) / elapsed, p50: at(0.5), p95: at(0.95), p99: at(0.99), wrong, firstWrong, ids, keys }
}

/** What one connection sends, and how it judges an answer: the message's id, '' where there is none, undefined if wrong. */
function sending({ path, channels, contents, run, isStored }: Sends, n: number, headers: Record<string, string>) {
  let turn = n
  return {
    next() {
      const key = `${run}-${n}-${turn}`
      const channelId = channels[turn % channels.length]
      const content = contents[turn % contents.length]
      turn++
      return { request: requestText('POST', path, headers, JSON.stringify({ channelId, content, clientId: key })), key }
    },
    check({ body }: Answer) {
      if (!isStored) return body[0] === OPEN_BRACE ? '' : undefined
      const found = body.indexOf('"id":"')
      return found >= 0 ? body.toString('latin1', found + 6, found + 42) : undefined
    },
  }
}

function reading({ path, before, size }: Pages, n: number, connections: number, headers: Record<string, string>) {
  // As many turns as no round takes, so that rounds do not meet.
  let turn = n + (before ? (before.round + 1) * 1_000_000 : 0)
  const same = requestText('GET', path, headers)
  const span = before ? before.to - before.from : 0
  return {
    next() {
      if (!before) return { request: same, key: '' }
      // A stride without a common factor with most spans: places all over, and none twice for long.
      const place = before.from + ((turn * 7919) % span)
      turn += connections
      return { request: requestText('GET', `${path}?before=${place}`, headers), key: '' }
    },
    /** Each is an array of its whole length; one in a hundred is read. */
    check({ body }: Answer, count: number) {
      if (body[0] !== OPEN_BRACKET || body[body.length - 1] !== CLOSE_BRACKET) return undefined
      if (count % 100 !== 1) return ''
      const page = JSON.parse(body.toString()) as { seq: number }[]
      const isInOrder = page.every(({ seq }, i) => i === 0 || seq === (page[i - 1]?.seq ?? 0) + 1)
      return page.length === size && isInOrder ? '' : undefined
    },
  }
}

const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
