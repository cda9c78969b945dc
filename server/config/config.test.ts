import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { listenProblem, StartError } from './start-error.ts'

const KEYS = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

test.each([
  ['1GB', 1024 ** 3],
  ['500MB', 500 * 1024 ** 2],
  ['2 tb', 2 * 1024 ** 4],
  ['1000', 1000],
])('a size of %s is %i bytes', (MAX_FILE_SIZE, bytes) => {
  expect(readConfig({ MAX_FILE_SIZE })).toMatchObject({ maxFileSize: bytes, s3: undefined })
})

test.each(['', '0', '-1', 'many', '1.5GB', '1GB!'])(
  'an invalid size of %j is reported in one sentence',
  (FILE_QUOTA) => {
    // Empty values mean not set.
    if (FILE_QUOTA === '') return expect(readConfig({ FILE_QUOTA }).fileQuota).toBe(5 * 1024 ** 3)
    expect(() => readConfig({ FILE_QUOTA })).toThrow(/^FILE_QUOTA must be a size such as 500MB or 1GB, or off, not /)
  },
)

test('the default quota is 5 GB per person', () => {
  expect(readConfig({}).fileQuota).toBe(5 * 1024 ** 3)
  expect(readConfig({ FILE_QUOTA: '20GB' }).fileQuota).toBe(20 * 1024 ** 3)
  expect(readConfig({ FILE_QUOTA: 'off' }).fileQuota).toBeUndefined()
  // At least one file must fit.
  expect(readConfig({ MAX_FILE_SIZE: '10GB' }).fileQuota).toBe(10 * 1024 ** 3)
})

test('X_ACCEL_REDIRECT must be a path, and excludes a bucket', () => {
  expect(readConfig({ X_ACCEL_REDIRECT: '/stored-files/' }).xAccelRedirect).toBe('/stored-files/')
  for (const X_ACCEL_REDIRECT of ['files', '/files', '/../', '//', 'https://x/'])
    expect(() => readConfig({ X_ACCEL_REDIRECT })).toThrow(/^X_ACCEL_REDIRECT must be a path such as /)
  const both = { X_ACCEL_REDIRECT: '/stored-files/', S3_BUCKET: 'b', ...KEYS }
  expect(() => readConfig(both)).toThrow('X_ACCEL_REDIRECT is for files on disk')
})

test('push notifications are on unless a setting says otherwise', () => {
  expect(readConfig({}).webPush).toBe('on')
  expect(readConfig({ WEB_PUSH: 'without-text' }).webPush).toBe('without-text')
  expect(readConfig({ WEB_PUSH: 'off' }).webPush).toBe('off')
  expect(() => readConfig({ WEB_PUSH: 'yes' })).toThrow('WEB_PUSH must be on, without-text or off, not "yes".')
})

test('S3 settings are complete or absent', () => {
  expect(readConfig({ S3_BUCKET: 'b', ...KEYS }).s3).toEqual({
    bucket: 'b',
    region: 'us-east-1',
    endpoint: undefined,
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  })
  expect(() => readConfig(KEYS)).toThrow('S3_BUCKET is required with S3_ACCESS_KEY_ID.')
  expect(() => readConfig({ S3_BUCKET: 'b' })).toThrow('S3_ACCESS_KEY_ID is required with S3_BUCKET.')
  const half = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id' }
  expect(() => readConfig(half)).toThrow('S3_SECRET_ACCESS_KEY is required with S3_BUCKET.')
  expect(() => readConfig({ S3_ENDPOINT: 'store', S3_BUCKET: 'b', ...KEYS })).toThrow(/^S3_ENDPOINT must be an address/)
})

test.each([
  [{ ASSISTANT_BASE_URL: 'ftp://x' }, /^ASSISTANT_BASE_URL must be an address such as /],
  [
    { ASSISTANT_BASE_URL: 'http://me:secret@x' },
    /^ASSISTANT_BASE_URL must be an address such as .*; the value is not shown\.$/,
  ],
  [
    { DATABASE_URL: 'mysql://me:secret@x/db' },
    /^DATABASE_URL must be an address such as .*; the value is not shown\.$/,
  ],
  [{ DATABASE_READ_URL: 'replica' }, /^DATABASE_READ_URL must be an address such as .*; the value is not shown\.$/],
  [{ DATABASE_READ_URL: 'postgres://x/db' }, /^DATABASE_URL is required with DATABASE_READ_URL: /],
  [{ REDIS_URL: 'http://:secret@x' }, /^REDIS_URL must be an address such as .*; the value is not shown\.$/],
  [{ REDIS_URL: 'redis://:100%secret@x' }, /^REDIS_URL must be an address such as .*; the value is not shown\.$/],
  [{ REDIS_URL: 'redis:' }, /^REDIS_URL must be an address such as /],
  [{ REDIS_URL: 'redis://x' }, /^DATABASE_URL is required with REDIS_URL: /],
  [{ SECRET: 'short' }, /^SECRET must have at least 32 letters, .*; the value is not shown\.$/],
  [{ SECRET: 'two words that are long enough, but two' }, /^SECRET must have .*; the value is not shown\.$/],
  [{ DATABASE_CONNECTIONS: '9' }, 'DATABASE_CONNECTIONS must be a whole number from 10 to 500, not "9".'],
  [{ DATABASE_CONNECTIONS: '20.5' }, /^DATABASE_CONNECTIONS must be a whole number/],
  [{ DATABASE_CONNECTIONS: 'many' }, /^DATABASE_CONNECTIONS must be a whole number/],
  [{ PROCESSES: '0' }, 'PROCESSES must be a whole number from 1 to 64, not "0".'],
  [{ PROCESSES: 'auto' }, /^PROCESSES must be a whole number/],
  [{ DRAIN: 'long' }, 'DRAIN must be a number of seconds from 0 to 3600, not "long".'],
  [{ DRAIN: '-1' }, /^DRAIN must be a number of seconds/],
  [{ MIGRATE: 'no' }, 'MIGRATE must be on or off, not "no".'],
  [{ BACKUP_TO: 'ftp://x' }, 'BACKUP_TO must be a folder, or a bucket such as s3://bucket/prefix, not "ftp://x".'],
  [{ BACKUP_TO: 's3://b' }, 'BACKUP_S3_ACCESS_KEY_ID is required with a bucket as BACKUP_TO.'],
  [{ BACKUP_EVERY: '1d' }, 'BACKUP_TO is required with BACKUP_EVERY.'],
  [{ BACKUP_TO: '/b', BACKUP_EVERY: 'daily' }, 'BACKUP_EVERY must be a time such as 12h or 1d, not "daily".'],
  [{ BACKUP_KEEP: '0' }, /^BACKUP_KEEP must be a whole number from 1 to 1000/],
  [{ SNAPSHOTS: 'no' }, 'SNAPSHOTS must be on or off, not "no".'],
  [{ BACKUP_PASSPHRASE: 'too short' }, 'BACKUP_PASSPHRASE must have at least 12 characters; the value is not shown.'],
  // Twelve code units.
  [{ BACKUP_PASSPHRASE: '🍲🍲🍲🍲🍲🍲' }, /^BACKUP_PASSPHRASE must have at least 12 characters/],
  [{ BACKUP_PASSPHRASE: '   too short    ' }, /^BACKUP_PASSPHRASE must have at least 12 characters/],
  [
    { DATA_DIR: '/d', BACKUP_TO: '/d/../d/snapshots/', BACKUP_EVERY: '1d' },
    'Backups need a folder of their own, not /d/snapshots, which has other contents.',
  ],
  [{ DATA_DIR: '/d', BACKUP_TO: '/d/postgres/base', BACKUP_EVERY: '1d' }, /^Backups need a folder of their own/],
  [{ BACKUP_TO: 's3:/bucket/prefix' }, /^BACKUP_TO must be a folder, or a bucket/],
  [{ BACKUP_TO: 'ada@nas.local:/backups' }, /^BACKUP_TO must be a folder, or a bucket/],
  [
    { DATA_DIR: '/d', BACKUP_TO: '~/backups' },
    '"~/backups" is not a folder: only a shell replaces the "~". Name the folder from "/" on.',
  ],
  [{ PUBLIC_URL: 'ftp://x' }, /^PUBLIC_URL must be an address such as .*, not "ftp:\/\/x"\.$/],
  [
    { PUBLIC_URL: 'https://chat.example.com/parley' },
    'PUBLIC_URL must be an address without a path, such as https://chat.example.com, not "https://chat.example.com/parley".',
  ],
  [{ PUBLIC_URL: 'https://chat.example.com/?a' }, /^PUBLIC_URL must be an address without a path/],
  [{ PUBLIC_URL: 'https://ada:secret@x' }, /^PUBLIC_URL must be an address without .*; the value is not shown\.$/],
  [{ ASSISTANT_BASE_URL: 'http://x' }, 'ASSISTANT_MODEL is required with ASSISTANT_BASE_URL.'],
  [{ ASSISTANT_MODEL: 'm' }, 'ASSISTANT_BASE_URL is required with ASSISTANT_MODEL.'],
  [{ ASSISTANT_API_KEY: 'k' }, 'ASSISTANT_BASE_URL is required with ASSISTANT_API_KEY.'],
  [{ ASSISTANT_API_KEY: 'two words' }, 'ASSISTANT_API_KEY must be a key without spaces; the value is not shown.'],
  [{ ASSISTANT_QUOTA: '0' }, /^ASSISTANT_QUOTA must be a number of times in an hour/],
  [{ ASSISTANT_TIMEOUT: 'soon' }, /^ASSISTANT_TIMEOUT must be a number of seconds/],
  [{ TTS_API_KEY: 'k', TTS_VOICE: 'v' }, 'TTS_BASE_URL is required with TTS_API_KEY.'],
  [{ TTS_BASE_URL: 'https://x' }, 'TTS_VOICE is required with TTS_BASE_URL.'],
  [{ TTS_QUOTA: '1.5' }, /^TTS_QUOTA must be a number of times in an hour/],
])('%j stops startup with one sentence', (settings, sentence) => {
  expect(() => readConfig(settings)).toThrow(sentence)
})

test('a link to a folder with other contents is none for backups, one beside them is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-config-'))
  const dataDir = join(folder, 'data')
  await mkdir(join(dataDir, 'files'), { recursive: true })
  await symlink(join(dataDir, 'files'), join(folder, 'link'), 'junction')
  const read = (to: string) => readConfig({ DATA_DIR: dataDir, BACKUP_TO: to, BACKUP_EVERY: '1d' }).backup.place
  for (const to of [join(folder, 'link'), join(folder, 'link/below'), dataDir])
    expect(() => read(to)).toThrow('Backups need a folder of their own')
  for (const to of [join(dataDir, 'backups'), join(dataDir, 'files-of-backups'), folder])
    expect(read(to)).toEqual({ folder: to })
  await rm(folder, { recursive: true })
})

test.each([
  [undefined, { total: 27, main: 16, search: 4, identity: 6, bus: 1 }],
  ['10', { total: 10, main: 6, search: 1, identity: 2, bus: 1 }],
  ['54', { total: 54, main: 33, search: 8, identity: 12, bus: 1 }],
])('%s connections are split', (DATABASE_CONNECTIONS, shares) => {
  const { databaseConnections } = readConfig(DATABASE_CONNECTIONS ? { DATABASE_CONNECTIONS } : {})
  expect(databaseConnections).toEqual(shares)
})

test('with Redis, no database connection is reserved for the bus', () => {
  const { redisUrl, databaseConnections } = readConfig({ DATABASE_URL: 'postgres://x/y', REDIS_URL: 'rediss://x:1' })
  expect(redisUrl).toBe('rediss://x:1')
  expect(databaseConnections).toEqual({ total: 27, main: 17, search: 4, identity: 6, bus: 0 })
})

test('model and speech settings are complete or absent', () => {
  expect(readConfig({})).toMatchObject({ assistant: { model: undefined, quota: 60, timeout: 120 }, speech: undefined })
  const settings = { ASSISTANT_BASE_URL: 'http://localhost:11434/v1/', ASSISTANT_MODEL: 'm', ASSISTANT_QUOTA: '5' }
  expect(readConfig(settings).assistant).toEqual({
    model: { baseUrl: 'http://localhost:11434/v1', name: 'm', apiKey: undefined },
    quota: 5,
    timeout: 120,
  })
  const voice = { TTS_BASE_URL: 'https://api.elevenlabs.io/', TTS_VOICE: 'v', TTS_API_KEY: 'k' }
  expect(readConfig(voice).speech).toEqual({
    baseUrl: 'https://api.elevenlabs.io',
    apiKey: 'k',
    voice: 'v',
    model: 'eleven_multilingual_v2',
    quota: 60,
  })
})

test('a trailing slash of PUBLIC_URL makes no difference', () => {
  for (const PUBLIC_URL of ['https://chat.example.com', 'https://Chat.example.com:443/'])
    expect(readConfig({ PUBLIC_URL }).publicUrl).toBe('https://chat.example.com')
})

test.each([
  ['EADDRINUSE', 'Port 80 is already in use. Set PORT to another one.'],
  [
    'EACCES',
    'This account may not use port 80. Allow it (docs/running/tls.md says how), or set PORT to another one, such as 3000.',
  ],
  ['ENOTFOUND', 'HOST must be an address of this machine, such as 0.0.0.0 or 127.0.0.1, not "chat".'],
])('%s of the port is reported in a sentence with a solution', (code, sentence) => {
  const problem = listenProblem(Object.assign(new Error(code), { code }), { host: 'chat', port: 80 })
  expect(problem).toEqual(new StartError(sentence))
})
