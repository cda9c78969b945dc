import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { atEnd } from './cleanup.ts'

const CHECK_INTERVAL_MS = 200

interface Options {
  /** Blocks WebSockets, like some company networks. */
  blocksWebSockets?: boolean
  /** Sent with each request to a node. */
  addedHeaders?: Record<string, string>
  /** Checks whether nodes are ready, and skips those that are not. */
  checksHealth?: boolean
}

/** A load balancer without sticky sessions: each request goes to the next node. */
export async function startRoundRobin(nodes: string[], { blocksWebSockets, addedHeaders, checksHealth }: Options = {}) {
  let turns = 0
  let ready = nodes
  const next = () => Number(new URL(ready[turns++ % ready.length] ?? 'http://localhost:9').port)

  const balancer = createServer((incoming, response) => {
    const { method, url, headers } = incoming
    const options = {
      host: '127.0.0.1',
      port: next(),
      method,
      path: url,
      headers: { ...headers, ...addedHeaders },
      agent: false,
    }
    const forwarded = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  balancer.on('upgrade', ({ url, rawHeaders }, near, head) => {
    if (blocksWebSockets) return near.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    const far = connect(next(), '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const)
      end.on('error', () => {}).on('close', () => other.destroy())
    const lines = rawHeaders.map((text, i) => (i % 2 === 0 ? `\r\n${text}: ` : text))
    far.write(`GET ${url} HTTP/1.1${lines.join('')}\r\n\r\n`)
    far.write(head)
    near.pipe(far).pipe(near)
    return undefined
  })
  balancer.listen(0, '127.0.0.1')
  await once(balancer, 'listening')

  const isReady = (node: string) =>
    fetch(`${node}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const check = async () => {
    const states = await Promise.all(nodes.map(isReady))
    ready = nodes.filter((_, i) => states[i])
  }
  const timer = checksHealth ? setInterval(check, CHECK_INTERVAL_MS) : undefined
  atEnd(() => {
    clearInterval(timer)
    balancer.closeAllConnections()
    balancer.close()
  })
  return { address: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`, ready: () => ready }
}
