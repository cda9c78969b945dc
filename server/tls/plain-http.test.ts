import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'
import { createPlainHttp, listenPlain } from './plain-http.ts'

const PER_ADDRESS = 3
const bounds = { idleConnections: { perAddress: PER_ADDRESS, total: 10 } }

interface Options {
  publicUrl?: string
  httpsPort?: number
  hasCertificate?: boolean
}

async function start({ publicUrl, httpsPort = 443, hasCertificate = true }: Options) {
  const challenges = new Map([['t0ken_-', 't0ken_-.answer']])
  const server = createPlainHttp({
    publicUrl,
    httpsPort,
    challenges,
    hasCertificate: () => hasCertificate,
    bounds,
    trustProxy: [],
  })
  await listenPlain(server, { port: 0, host: '127.0.0.1' })
  atEnd(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** The status line, location and body of the answer to a target as it is written. */
  const ask = async (target: string, host = 'chat.example.com', method = 'GET') => {
    const { write, closed, received } = await openRawConnection(address)
    write(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await closed
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(received()) ?? []
    const [, location] = /^location: (.*)\r$/m.exec(received()) ?? []
    return { status: Number(status), location, body: received().split('\r\n\r\n')[1] }
  }
  return Object.assign(ask, { address })
}

test('everything is redirected to HTTPS, with its path and method', async () => {
  const ask = await start({ publicUrl: 'https://chat.example.com' })
  const location = 'https://chat.example.com/c/general?m=1'
  expect(await ask('/c/general?m=1')).toMatchObject({ status: 308, location })
  expect(await ask('/c/general?m=1', 'evil.example', 'POST')).toMatchObject({ status: 308, location })
})

test('without PUBLIC_URL the redirect keeps the name, and adds the port', async () => {
  expect(await (await start({}))('/x', 'chat.lan:80')).toMatchObject({ location: 'https://chat.lan/x' })
  const ask = await start({ httpsPort: 3443 })
  expect(await ask('/x', '[::1]:3080')).toMatchObject({ status: 308, location: 'https://[::1]:3443/x' })
  for (const host of ['', 'a b', 'evil.example/', 'x@evil.example', 'a'.repeat(300)])
    expect([host, await ask('/x', host)]).toMatchObject([host, { status: 400, location: undefined }])
})

test.each(['//evil.example/', 'http://evil.example/', 'http://evil.example//x', '*', '/\\evil.example'])(
  'a target of %s leads nowhere else',
  async (target) => {
    const ask = await start({ publicUrl: 'https://chat.example.com' })
    const { location = 'https://chat.example.com/' } = await ask(target)
    expect(new URL(location).host).toBe('chat.example.com')
  },
)

test('the authority gets its answers, also before there is a certificate; everybody else a sentence', async () => {
  const ask = await start({ publicUrl: 'https://chat.example.com', hasCertificate: false })
  expect(await ask('/.well-known/acme-challenge/t0ken_-')).toMatchObject({ status: 200, body: 't0ken_-.answer' })
  for (const path of ['unknown', 'constructor', '__proto__'])
    expect(await ask(`/.well-known/acme-challenge/${path}`)).toMatchObject({ status: 404 })
  expect(await ask('/')).toMatchObject({ status: 503, body: expect.stringContaining('no certificate') })
})

test('a request with a whole address is answered like one with its path', async () => {
  const ask = await start({ publicUrl: 'https://chat.example.com' })
  const url = 'http://chat.example.com'
  expect(await ask(`${url}/.well-known/acme-challenge/t0ken_-`)).toMatchObject({ body: 't0ken_-.answer' })
  expect(await ask(`${url}/c/general`)).toMatchObject({ location: 'https://chat.example.com/c/general' })
})

test('nobody keeps the authority out with connections that never end', async () => {
  const ask = await start({ hasCertificate: false })
  const slow = []
  for (let n = 0; n < 2 * PER_ADDRESS; n++) {
    const line = await openRawConnection(ask.address)
    line.write('GET /.well')
    slow.push(line)
  }
  expect(await ask('/.well-known/acme-challenge/t0ken_-')).toMatchObject({ status: 200 })
  await Promise.all(slow.slice(0, PER_ADDRESS).map(({ closed }) => closed))
})
