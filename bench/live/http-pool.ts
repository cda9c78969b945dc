import { Agent, request } from 'node:http'

interface Reply {
  status: number
  text: string
}
interface HttpRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/**
 * Keep-alive connections with one request at a time each; further requests wait.
 * @param ports the ports of ready nodes, used in turn
 * @param most connections to each of them
 */
export function createHttpPool(ports: () => number[], most: number) {
  // Node's agent: unlike the generator's bare connections, it notices connections of a killed server.
  const agent = new Agent({ keepAlive: true, maxSockets: most, scheduling: 'lifo' })

  let turn = 0
  const nextPort = () => ports()[turn++ % ports().length] as number

  /** @throws Error if the connection fails, and with it the outcome of the request is unknown */
  const send = (sent: HttpRequest): Promise<Reply> =>
    // Like a load balancer, try the next node if one refuses the connection.
    sendTo(nextPort(), sent).catch((error) => {
      if (error.code !== 'ECONNREFUSED' || ports().length === 1) throw error
      return sendTo(nextPort(), sent)
    })

  function sendTo(port: number, { method, path, headers, body = '' }: HttpRequest): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const about = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...about } })
      outgoing.on('error', reject)
      outgoing.on('response', (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => resolve({ status: answer.statusCode as number, text: Buffer.concat(chunks).toString() }))
      })
      outgoing.end(body)
    })
  }

  return { send, close: () => agent.destroy() }
}
export type HttpPool = ReturnType<typeof createHttpPool>
