import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { trustedCertificate } from '../support/certificates.ts'
import { atEnd } from '../support/cleanup.ts'
import { freePort } from '../support/free-port.ts'
import { STATE_TIMEOUT_MS } from '../support/timeouts.ts'
import { findProgram } from './find-program.ts'

/** The path of Pebble, Let’s Encrypt's authority for tests; undefined if it is not available. */
export const pebbleProgram = findProgram('pebble')
const dnsProgram = 'pebble-challtestsrv'

interface Misbehaviour {
  /** Answers instead of the authority; false leaves it to that. */
  instead?: (asked: { isOrder: boolean; isPoll: boolean }, response: ServerResponse) => boolean
  /** Changes an answer. @param type of its content */
  change?: (type: string, body: string) => string
}

/** There were too many requests. */
export function refuseForNow(response: ServerResponse, retryAfter: number) {
  const type = 'urn:ietf:params:acme:error:rateLimited'
  response
    .writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': String(retryAfter) })
    .end(JSON.stringify({ type, detail: 'too many certificates already issued', status: 429 }))
}

interface Options {
  /** Where the authority looks for challenges: the port of plain HTTP. */
  httpPort: number
}

/** A real certificate authority on loopback, behind a proxy that can refuse; ended when the test file ends. This process trusts it. */
export async function startAuthority({ httpPort }: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-ca-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const [port, management, dns, dnsManagement, proxyPort] = await Promise.all(Array.from({ length: 5 }, freePort))
  const { cert, key } = await trustedCertificate()
  const [certificate, privateKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(certificate, cert), writeFile(privateKey, key)])
  const listens = { listenAddress: `127.0.0.1:${port}`, managementListenAddress: `127.0.0.1:${management}` }
  const pebble = {
    ...listens,
    certificate,
    privateKey,
    httpPort,
    tlsPort: 1,
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble }))

  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1' }
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '']
  const dnsArgs = [
    ...off,
    '-dns01',
    `127.0.0.1:${dns}`,
    '-management',
    `127.0.0.1:${dnsManagement}`,
    '-defaultIPv6',
    '',
  ]
  const children = [
    spawn(dnsProgram, dnsArgs),
    spawn(pebbleProgram as string, ['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dns}`], { env }),
  ]
  atEnd(() => Promise.all(children.map(end)))

  let misbehave: Misbehaviour = {}
  let orderPath: string | undefined
  let orders = 0
  const proxy = createServer({ cert, key }, (incoming, response) => {
    const { method, url = '', headers } = incoming
    const isOrder = url === orderPath
    if (misbehave.instead?.({ isOrder, isPoll: method === 'POST' && !isOrder }, response)) return
    const to = request({ host: '127.0.0.1', port, method, path: url, headers, rejectUnauthorized: false }, (answer) => {
      // Pebble refuses some requests at random, to be sent again.
      if (isOrder && answer.statusCode === 201) orders++
      const { 'content-type': type = '', 'content-length': _, ...rest } = answer.headers
      void text(answer).then((body) => {
        response.writeHead(answer.statusCode ?? 502, { ...rest, 'content-type': type })
        response.end(misbehave.change?.(type, body) ?? body)
      })
    })
    to.on('error', () => response.writeHead(502).end())
    incoming.pipe(to)
  })
  proxy.listen(proxyPort, '127.0.0.1')
  atEnd(() => void proxy.close())
  const directory = `https://localhost:${proxyPort}/dir`
  for (const end = Date.now() + STATE_TIMEOUT_MS; !orderPath; await sleep(20)) {
    if (Date.now() > end) throw new Error('Pebble did not start')
    const answer = await fetch(directory)
    if (answer.ok) orderPath = new URL(((await answer.json()) as { newOrder: string }).newOrder).pathname
  }

  return {
    directory,
    /** How many certificates were ordered. */
    orders: () => orders,
    /** All names lead to this address. */
    resolveTo: (ip: string) =>
      fetch(`http://127.0.0.1:${dnsManagement}/set-default-ipv4`, { method: 'POST', body: JSON.stringify({ ip }) }),
    /** Answers differently from now on; without an argument, as it should. */
    misbehave(how: Misbehaviour = {}) {
      misbehave = how
    },
    stop: () => Promise.all(children.map(end)),
  }
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}
