import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { trustedCertificate } from '../test/support/certificates.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { createDatabase } from '../test/support/database.ts'
import { freePort } from '../test/support/free-port.ts'
import { longTest } from '../test/support/long.ts'
import { startParley } from '../test/support/parley.ts'
import { SERVER_COMMAND } from '../test/support/server-command.ts'

// The program and the command `health`, on a database of the tests.

/** Nothing answers there. */
const UNREACHABLE = 'https://127.0.0.1:9/directory'

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tls-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function run(settings: NodeJS.ProcessEnv, args: string[] = SERVER_COMMAND) {
  const env = {
    ...process.env,
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    PUBLIC_URL: '',
    SECRET: 's'.repeat(32),
    ...settings,
  }
  const child: ChildProcess = spawn(process.execPath, args, { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'exit').then(([code]) => ({ code, output }))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { output: () => output, ended }
}

async function prepare() {
  const { url, drop } = await createDatabase(inject('postgresUrl'))
  atEnd(drop)
  const [port, httpPort] = await Promise.all([freePort(), freePort()])
  return { DATABASE_URL: url, DATA_DIR: await newFolder(), PORT: `${port}`, HTTP_PORT: `${httpPort}` }
}

const health = (settings: NodeJS.ProcessEnv) => run(settings, ['scripts/health.ts']).ended

longTest('several processes serve one certificate, and redirect plain HTTP', async () => {
  const folder = await newFolder()
  const { cert, key } = await trustedCertificate()
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(TLS_CERT, cert), writeFile(TLS_KEY, key)])
  const settings = { ...(await prepare()), TLS_CERT, TLS_KEY, PROCESSES: '2' }
  const { output } = run(settings)
  await expect.poll(output).toContain(`Parley is ready: https://localhost:${settings.PORT}`)
  for (let n = 0; n < 4; n++) {
    const answer = await fetch(`http://localhost:${settings.HTTP_PORT}/readyz`)
    expect([answer.url, answer.status]).toEqual([`https://localhost:${settings.PORT}/readyz`, 200])
  }
  expect(await health(settings)).toEqual({ code: 0, output: 'Parley is ready.\n' })
  // It serves the certificate that it has.
  await writeFile(TLS_KEY, '')
  expect(await health(settings)).toEqual({
    code: 0,
    output: expect.stringMatching(/^Parley is ready\.\nTLS_CERT .*must be/),
  })
})

test('while the authority can’t be reached, the start says so, and the health check fails with the reason', async () => {
  const settings = { ...(await prepare()), TLS_DOMAIN: 'chat.example.com', ACME_DIRECTORY: UNREACHABLE }
  const { output } = run(settings)
  await expect.poll(output).toContain('Parley is running: https://chat.example.com')
  const sentence =
    /There is no certificate for chat\.example\.com yet: 127\.0\.0\.1:9 can't be reached: .* Parley tries again at /
  expect(output()).toMatch(sentence)
  expect(await health(settings)).toEqual({ code: 1, output: expect.stringMatching(sentence) })
})

test('a port for plain HTTP that is in use stops the start with a sentence', async () => {
  const settings = { ...(await prepare()), TLS_DOMAIN: 'chat.example.com', ACME_DIRECTORY: UNREACHABLE }
  const taken = createServer().listen(Number(settings.HTTP_PORT), '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const sentence = `Port ${settings.HTTP_PORT} is already in use. Set HTTP_PORT to another one.`
  expect(await run(settings).ended).toEqual({ code: 1, output: expect.stringContaining(sentence) })
})

test('TLS_DOMAIN is refused while another node uses the database', async () => {
  const { databaseUrl } = await startParley()
  const settings = { ...(await prepare()), DATABASE_URL: databaseUrl, TLS_DOMAIN: 'chat.example.com' }
  const { code, output } = await run(settings).ended
  expect(code).toBe(1)
  expect(output).toContain('Another node uses this database. TLS_DOMAIN works on one node only')
})
