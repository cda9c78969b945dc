import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createCertificate, shownCertificate, trustedCertificate } from '../test/support/certificates.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { longTest } from '../test/support/long.ts'
import { startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'

let folder: string
let paths: { TLS_CERT: string; TLS_KEY: string }

/** Replaces the files. */
async function put({ cert, key }: { cert: string; key: string }) {
  await Promise.all([writeFile(paths.TLS_CERT, cert), writeFile(paths.TLS_KEY, key)])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-tls-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  paths = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  await put(await trustedCertificate())
})

const portOf = ({ app }: Awaited<ReturnType<typeof startParley>>) => (app.server.address() as AddressInfo).port

test('calls, cookies, sockets and files work over TLS', async () => {
  const parley = await startParley({ ...paths, HTTP_PORT: 'off' })
  expect(parley.address).toMatch(/^https:/)
  const { ada, bob } = await parley.people('ada', 'bob')
  const body = JSON.stringify({ username: 'ada', password: ada.password })
  const headers = { 'content-type': 'application/json', origin: parley.address }
  const signedIn = await fetch(`${parley.address}/api/auth/sign-in/username`, { method: 'POST', headers, body })
  expect(signedIn.status).toBe(200)
  for (const cookie of signedIn.headers.getSetCookie()) expect(cookie).toMatch(/; Secure/i)

  const { channels } = (await ada.get('/api/channels')).body
  const listener = await bob.listen()
  const { id } = await ada.say(channels[0].id, 'over TLS')
  expect((await listener.waitFor('message:created')).id).toBe(id)

  const bytes = Buffer.alloc(3_000_000, 'x')
  const { body: file } = await ada.upload(channels[0].id, 'large.bin', bytes)
  const answer = await fetch(parley.address + file.url, { headers: { authorization: `Bearer ${bob.token}` } })
  expect([answer.status, (await answer.bytes()).length]).toEqual([200, bytes.length])
})

test('an open socket is not an idle connection, but one that never begins a handshake is', async () => {
  const PER_ADDRESS = 3
  const idleConnections = { perAddress: PER_ADDRESS, total: 20 }
  const parley = await startParley({ ...paths, HTTP_PORT: 'off' }, undefined, { idleConnections })
  const { socket } = await (await parley.person('ada')).listen()
  const silent = []
  for (let n = 0; n < 2 * PER_ADDRESS; n++) silent.push(await openRawConnection(parley.address))
  await Promise.all(silent.slice(0, PER_ADDRESS).map(({ closed }) => closed))
  expect(silent.slice(PER_ADDRESS).every((line) => !line.socket.destroyed)).toBe(true)
  expect(socket.connected).toBe(true)
})

longTest('new files are served as soon as they are there, and what is no certificate is not', async () => {
  const lines: { msg: string }[] = []
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const parley = await startParley({ ...paths, HTTP_PORT: 'off', LOG_LEVEL: 'info' }, logTo)
  const { socket } = await (await parley.person('ada')).listen()
  const names = async () => (await shownCertificate(portOf(parley), 'localhost')).subjectAltName
  expect(await names()).toContain('DNS:localhost')
  const said = (text: string) => () => lines.filter(({ msg }) => msg.startsWith(text)).length

  const next = await createCertificate('next.example.com')
  await put({ ...next, cert: 'no certificate' })
  await expect.poll(said('the certificate cannot be used')).toBe(1)
  expect(await names()).toContain('DNS:localhost')
  await put(next)
  await expect.poll(names).toContain('DNS:next.example.com')
  // Connections that are open stay.
  expect(socket.connected).toBe(true)
  await put(await trustedCertificate())
  await expect.poll(said('serving a new certificate')).toBe(2)
})

test.each([
  [
    'is missing',
    { TLS_CERT: '/nowhere/cert.pem' },
    /^TLS_CERT names a file that doesn't exist: \/nowhere\/cert\.pem\.$/,
  ],
  ['is a folder', { TLS_KEY: tmpdir() }, /^TLS_KEY can't be read \(EISDIR\)/],
])('a file that %s stops the start with a sentence', async (_, settings, sentence) => {
  await expect(startParley({ ...paths, ...settings, HTTP_PORT: 'off' })).rejects.toThrow(sentence)
})

test('a certificate and a key that don’t belong together, or that are none, stop the start with a sentence', async () => {
  const [TLS_CERT, TLS_KEY] = [join(folder, 'other-cert.pem'), join(folder, 'other-key.pem')]
  const [first, second] = [await createCertificate('a.example.com'), await createCertificate('b.example.com')]
  await writeFile(TLS_CERT, first.cert)
  await writeFile(TLS_KEY, second.key)
  await expect(startParley({ TLS_CERT, TLS_KEY, HTTP_PORT: 'off' })).rejects.toThrow(
    /is for another key than that of TLS_KEY/,
  )
  await writeFile(TLS_KEY, 'nothing')
  await expect(startParley({ TLS_CERT, TLS_KEY, HTTP_PORT: 'off' })).rejects.toThrow(
    /must be a certificate and its key/,
  )
})
