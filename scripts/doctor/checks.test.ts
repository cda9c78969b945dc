import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { startBucket } from '../../server/test/services/bucket.ts'
import { startMailServer } from '../../server/test/services/mail-server.ts'
import { redisProgram, startRedis } from '../../server/test/services/redis.ts'
import { createCertificate } from '../../server/test/support/certificates.ts'
import { atEnd } from '../../server/test/support/cleanup.ts'
import { smallDisk } from '../../server/test/support/small-disk.ts'
import { createClocks } from './check-clock.ts'
import { checkDisk } from './check-disk.ts'
import { checkRedis } from './check-redis.ts'
import { checkBucket, checkCertificate, checkMail, checkProvider } from './check-services.ts'
import { examine, type Finding } from './finding.ts'

const NOTHING_LISTENS = 'http://127.0.0.1:9'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-doctor-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
})

const problemsOf = (findings: Finding[]) => findings.filter(({ state }) => state === 'problem').map(({ text }) => text)

test('a slow answer is no wrong clock', async () => {
  const clocks = createClocks()
  const date = new Date(Date.now() - 8000).toUTCString()
  clocks.noteHeader('the server', { date, arrivedAt: Date.now(), tookMs: 8000 })
  expect(problemsOf(await clocks.check())).toEqual([])
})

test('a disk that is nearly full, and a file in place of the folder', async () => {
  const disk = await smallDisk(64)
  if (disk)
    expect(problemsOf(await checkDisk(readConfig({ DATA_DIR: disk })))).toEqual([
      expect.stringContaining('Only 0.1 GB'),
    ])
  const path = join(folder, 'file')
  await writeFile(path, '')
  expect(problemsOf(await checkDisk(readConfig({ DATA_DIR: path })))).toEqual([
    expect.stringContaining('a file is in its place'),
  ])
})

test('mail: a server that is not there, and a wrong password', async () => {
  const server = await startMailServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN'],
    onAuth: ({ password }, _, done) => (password === 'right' ? done(null, { user: 'chat' }) : done(new Error('no'))),
  })
  const check = (SMTP_URL: string) =>
    checkMail(readConfig({ SMTP_URL, MAIL_FROM: 'chat@example.com', PUBLIC_URL: 'https://chat.example.com' }).mail)
  expect(problemsOf(await check(server.url('chat:right@')))).toEqual([])
  expect(problemsOf(await check(server.url('chat:wrong@')))).toEqual([
    expect.stringContaining('refused the user name or the password'),
  ])
  expect(problemsOf(await check('smtp://127.0.0.1:9'))).toEqual([expect.stringContaining('Nothing listens')])
})

test('a bucket that is not there, a wrong key, and a server that is not there', async () => {
  const bucket = await startBucket()
  const check = async (settings: NodeJS.ProcessEnv) => {
    const config = readConfig({ ...bucket.settings(), ...settings })
    const { s3 } = config
    return s3 ? problemsOf(await checkBucket({ ...config, s3 })) : ['no settings']
  }
  expect(await check({})).toEqual([])
  expect(await check({ S3_BUCKET: 'nowhere' })).toEqual([expect.stringContaining('There is no bucket nowhere')])
  expect(await check({ S3_ACCESS_KEY_ID: 'nobody' })).toEqual([expect.stringContaining('the key of S3_ACCESS_KEY_ID')])
  expect(await check({ S3_ENDPOINT: NOTHING_LISTENS })).toEqual([expect.stringContaining('Nothing answers at')])
})

test('a certificate for another name, and one that has ended', async () => {
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const check = async (name: string, endsAt?: Date) => {
    const { cert, key } = await createCertificate(name, { ...(endsAt && { startsAt: new Date(0), endsAt }) })
    await Promise.all([writeFile(TLS_CERT, cert), writeFile(TLS_KEY, key)])
    return problemsOf(await checkCertificate(readConfig({ TLS_CERT, TLS_KEY, PUBLIC_URL: 'https://chat.example.com' })))
  }
  expect(await check('chat.example.com')).toEqual([])
  expect(await check('talk.example.com')).toEqual([expect.stringContaining('is for talk.example.com, but PUBLIC_URL')])
  expect(await check('chat.example.com', new Date(Date.now() - 1000))).toEqual([
    expect.stringContaining('The certificate of TLS_CERT ended'),
  ])
})

test.skipIf(!redisProgram)('Redis delivers messages, or not with a wrong password', async () => {
  const redis = await startRedis('--requirepass', 'right')
  const url = (password: string) => redis.url.replace('redis://', `redis://:${password}@`)
  expect(problemsOf(await checkRedis(url('right')))).toEqual([])
  expect(problemsOf(await checkRedis(url('wrong')))).toEqual([expect.stringContaining('Check REDIS_URL.')])
})

test('Redis and a provider for signing in that are not there', async () => {
  expect(problemsOf(await checkRedis('redis://127.0.0.1:9'))).toEqual([expect.stringContaining('ECONNREFUSED')])
  const oidc = { OIDC_ISSUER: NOTHING_LISTENS, OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'secret' }
  const config = readConfig({ ...oidc, PUBLIC_URL: 'https://chat.example.com' })
  const { oidc: provider } = config
  expect(provider && problemsOf(await examine('OIDC_ISSUER', () => checkProvider(provider)))).toHaveLength(1)
})

test('a clock that is wrong', async () => {
  const clocks = createClocks()
  clocks.note('the database', Date.now() + 90_000)
  expect(problemsOf(await clocks.check())).toEqual([expect.stringContaining('90 seconds behind that of the database')])
  const right = createClocks()
  right.note('the database', Date.now() - 1000)
  right.note('nowhere', Number.NaN)
  expect(problemsOf(await right.check())).toEqual([])
})
