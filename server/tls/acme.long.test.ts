import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CertificateHealth } from '#contract/administration'
import { pebbleProgram, refuseForNow, startAuthority } from '../test/services/certificate-authority.ts'
import { startMailServer } from '../test/services/mail-server.ts'
import { createCertificate, shownCertificate } from '../test/support/certificates.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { freePort } from '../test/support/free-port.ts'
import { longTest } from '../test/support/long.ts'
import { startParley } from '../test/support/parley.ts'
import { smallDisk } from '../test/support/small-disk.ts'
import { storeAttempts } from './attempts.ts'
import { acmeFolder } from './certificate.ts'
import { untilFirstCertificate } from './certificate-problem.ts'
import { afterFailure } from './renewal-rules.ts'

const DOMAIN = 'chat.example.com'
const DAY_MS = 24 * 3_600_000
/** Nothing listens there. */
const ELSEWHERE = '127.0.0.9'

type Authority = Awaited<ReturnType<typeof startAuthority>>

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-tls-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const folderOf = ({ directory }: Authority, dataDir: string) =>
  acmeFolder(dataDir, { kind: 'acme', domain: DOMAIN, directory })

/** Puts a certificate with two days left of 90 in place of the obtained one. Returns its serial number. */
async function putEnding(authority: Authority, dataDir: string) {
  const life = { startsAt: new Date(Date.now() - 88 * DAY_MS), endsAt: new Date(Date.now() + 2 * DAY_MS) }
  const { cert, key } = await createCertificate(DOMAIN, life)
  await mkdir(folderOf(authority, dataDir), { recursive: true })
  await writeFile(join(folderOf(authority, dataDir), `${DOMAIN}.pem`), `${key}\n${cert}\n`)
  return new X509Certificate(cert).serialNumber
}

const refused = (response: ServerResponse, retryAfter: number) => {
  refuseForNow(response, retryAfter)
  return true
}

async function startWith({ directory }: Authority, httpPort: number, settings: NodeJS.ProcessEnv = {}, waits = true) {
  const lines: Record<string, unknown>[] = []
  const logTo = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const dataDir = settings['DATA_DIR'] ?? (await newFolder())
  const tls = { TLS_DOMAIN: DOMAIN, ACME_DIRECTORY: directory, HTTP_PORT: `${httpPort}`, DATA_DIR: dataDir }
  const parley = await startParley({ ...tls, LOG_LEVEL: 'info', ...settings }, logTo)
  const { port } = parley.app.server.address() as AddressInfo
  const ada = await parley.person('ada')
  const startedAt = Date.now()
  await parley.app.tls?.start(port)
  if (waits) await untilFirstCertificate(parley.app.config, startedAt)
  const shown = () => shownCertificate(port, DOMAIN)
  const certificate = async () => (await parley.app.tls?.health()) as CertificateHealth
  const plain = (path: string) => fetch(`http://127.0.0.1:${httpPort}${path}`, { redirect: 'manual' })
  return { ...parley, ada, dataDir, lines, shown, certificate, plain }
}

describe.skipIf(!pebbleProgram)('certificates by ACME', () => {
  test('a certificate is obtained, kept for the next start, and renewed when a third of its life is left', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    const first = await startWith(authority, httpPort)
    const { serialNumber, subjectAltName } = await first.shown()
    expect(subjectAltName).toBe(`DNS:${DOMAIN}`)
    expect(await first.certificate()).toMatchObject({ names: [DOMAIN], isAutomatic: true, lastError: null })
    expect((await first.plain('/c/general?m=1')).headers.get('location')).toBe(`https://${DOMAIN}/c/general?m=1`)
    for (const name of [`${DOMAIN}.pem`, 'account.json'])
      expect([name, (await stat(join(folderOf(authority, first.dataDir), name))).mode & 0o077]).toEqual([name, 0])
    await first.stop()

    const second = await startWith(authority, httpPort, { DATA_DIR: first.dataDir })
    expect(authority.orders()).toBe(1)
    expect((await second.shown()).serialNumber).toBe(serialNumber)
    await second.stop()

    await putEnding(authority, first.dataDir)
    const third = await startWith(authority, httpPort, { DATA_DIR: first.dataDir })
    await expect.poll(() => third.lines.map(({ msg }) => msg)).toContain('obtained a certificate')
    expect(authority.orders()).toBe(2)
    expect((await third.shown()).validToDate.getTime()).toBeGreaterThan(Date.now() + 30 * DAY_MS)
  })

  longTest('an account that the authority has forgotten is replaced', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    const { dataDir, stop } = await startWith(authority, httpPort)
    await stop()
    const another = await startAuthority({ httpPort })
    await mkdir(folderOf(another, dataDir), { recursive: true })
    const account = await readFile(join(folderOf(authority, dataDir), 'account.json'), 'utf8')
    const [own, others] = [authority, another].map(({ directory }) => new URL(directory).host) as [string, string]
    await writeFile(join(folderOf(another, dataDir), 'account.json'), account.replace(own, others))
    const { certificate } = await startWith(another, httpPort, { DATA_DIR: dataDir })
    expect(await certificate()).toMatchObject({ names: [DOMAIN], lastError: null, endsAt: expect.any(String) })
  })

  test('if a renewal fails, the old certificate is served on, and the log and the owner are told why', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    await authority.resolveTo(ELSEWHERE)
    const dataDir = await newFolder()
    const serialNumber = await putEnding(authority, dataDir)
    const mail = await startMailServer()
    const parley = await startWith(authority, httpPort, {
      SMTP_URL: mail.url(),
      MAIL_FROM: 'chat@example.com',
      DATA_DIR: dataDir,
    })
    const { ada } = parley
    expect((await parley.shown()).serialNumber).toBe(serialNumber)
    const failures = () => parley.lines.filter(({ msg }) => String(msg).startsWith('no certificate was issued'))
    await expect.poll(failures).toHaveLength(1)
    expect(failures()[0]).toMatchObject({
      level: 40,
      domain: DOMAIN,
      reason: expect.stringContaining(ELSEWHERE),
      failures: 1,
    })
    expect((await ada.get('/api/workspace/health')).body.certificate).toMatchObject({
      names: [DOMAIN],
      endsAt: expect.any(String),
      lastError: expect.stringContaining(ELSEWHERE),
    })
    const about = () => mail.received.filter((it) => it.header('subject')?.startsWith('The certificate of'))
    await expect.poll(about).toHaveLength(1)
    expect(about()[0]).toMatchObject({ to: ada.email, text: expect.stringContaining(ELSEWHERE) })
  })

  test('without a first certificate Parley runs, says why nobody can connect, and waits as long as the authority asks', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    const RETRY_AFTER = 7200
    authority.misbehave({ instead: ({ isOrder }, response) => isOrder && refused(response, RETRY_AFTER) })
    const first = await startWith(authority, httpPort)
    const before = Date.now()
    const { endsAt, lastError, retriesAt } = await first.certificate()
    expect({ endsAt, lastError }).toEqual({ endsAt: null, lastError: 'too many certificates already issued' })
    const waitSeconds = (Date.parse(retriesAt as string) - before) / 1000
    expect(waitSeconds).toBeGreaterThan(RETRY_AFTER - 60)
    await expect(first.shown()).rejects.toThrow()
    expect((await first.plain('/')).status).toBe(503)
    await first.stop()

    // A start doesn't ask again before the time.
    authority.misbehave()
    const second = await startWith(authority, httpPort, { DATA_DIR: first.dataDir })
    expect(authority.orders()).toBe(0)
    expect(await second.certificate()).toMatchObject({ endsAt: null, retriesAt })
  })

  longTest(
    'a certificate that is of no use doesn’t replace the old one, and is not ordered again at once',
    async () => {
      const httpPort = await freePort()
      const authority = await startAuthority({ httpPort })
      const dataDir = await newFolder()
      const serialNumber = await putEnding(authority, dataDir)
      const other = await createCertificate('evil.example.com')
      for (const [instead, reason] of [
        [other.cert, 'another key'],
        ['nothing', "can't be used"],
        [(await createCertificate(DOMAIN)).cert, 'another key'],
      ] as const) {
        const change = (type: string, body: string) => (type.includes('pem-certificate-chain') ? instead : body)
        authority.misbehave({ change })
        const parley = await startWith(authority, httpPort, { DATA_DIR: dataDir })
        await expect.poll(async () => (await parley.certificate()).lastError).toContain(reason)
        expect((await parley.shown()).serialNumber).toBe(serialNumber)
        await parley.stop()
        await rm(join(folderOf(authority, dataDir), `${DOMAIN}.attempts.json`))
      }
      expect(authority.orders()).toBe(3)
    },
  )

  longTest(
    'with a certificate, a start doesn’t wait for an authority that doesn’t answer, nor does a stop',
    async () => {
      const httpPort = await freePort()
      const authority = await startAuthority({ httpPort })
      const dataDir = await newFolder()
      await putEnding(authority, dataDir)
      authority.misbehave({ instead: () => true })
      const hanging = await startWith(authority, httpPort, { DATA_DIR: dataDir })
      expect(await hanging.shown()).toBeDefined()
      await hanging.stop()

      // It says for ever that it is still checking.
      authority.misbehave({ change: (_, body) => body.replaceAll('"valid"', '"pending"') })
      const { stop } = await startWith(authority, httpPort, { DATA_DIR: dataDir })
      await expect.poll(authority.orders).toBe(1)
      await stop()
    },
  )

  longTest('a rate limit while the authority is checking ends the attempt', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    authority.misbehave({
      instead: ({ isPoll }, response) => isPoll && authority.orders() > 0 && refused(response, 3600),
    })
    const { certificate } = await startWith(authority, httpPort)
    const { lastError, retriesAt } = await certificate()
    expect(lastError).toBe('too many certificates already issued')
    expect(Date.parse(retriesAt as string)).toBeGreaterThan(Date.now() + 3500 * 1000)
  })

  longTest('an answer without an end is not read to the end', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    const instead = (_: unknown, response: ServerResponse) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
      return true
    }
    authority.misbehave({ instead })
    const { certificate } = await startWith(authority, httpPort)
    expect((await certificate()).lastError).toContain('sends too much')
  })

  longTest('nothing is ordered that could not be stored, and damaged files are replaced', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    const dataDir = await newFolder()
    const path = (name: string) => join(folderOf(authority, dataDir), name)
    await mkdir(path(`${DOMAIN}.pem`), { recursive: true })
    await writeFile(path('account.json'), '{"key":"nonsense","url":"https://ca.example.com/1"}')
    await writeFile(path(`${DOMAIN}.attempts.json`), '{}')
    const first = await startWith(authority, httpPort, { DATA_DIR: dataDir })
    expect((await first.certificate()).lastError).toContain('is no file')
    expect(authority.orders()).toBe(0)
    await first.stop()

    await rm(path(`${DOMAIN}.pem`), { recursive: true })
    const second = await startWith(authority, httpPort, { DATA_DIR: dataDir })
    expect(await second.certificate()).toMatchObject({ endsAt: expect.any(String), lastError: null })
  })

  longTest('with a full disk nothing is ordered', async () => {
    const dataDir = await smallDisk(1)
    if (!dataDir) return
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    await writeFile(join(dataDir, 'fill'), Buffer.alloc(4_000_000)).catch(() => {})
    const { lines } = await startWith(authority, httpPort, { DATA_DIR: dataDir }, false)
    const reasons = () => lines.flatMap(({ msg, reason }) => (String(msg).startsWith('no certificate') ? [reason] : []))
    await expect.poll(reasons).toContainEqual(expect.stringContaining('ENOSPC'))
    expect(authority.orders()).toBe(0)
  })

  longTest('a failure that is over is not shown', async () => {
    const httpPort = await freePort()
    const authority = await startAuthority({ httpPort })
    const { certificate, dataDir } = await startWith(authority, httpPort)
    const source = { kind: 'acme', domain: DOMAIN, directory: authority.directory } as const
    const failure = { error: 'no', isRefusal: true, retryAfter: undefined, now: Date.now() }
    await storeAttempts(dataDir, source, afterFailure(undefined, failure))
    expect(await certificate()).toMatchObject({ lastError: null, retriesAt: null })
  })
})
