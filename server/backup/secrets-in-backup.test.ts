import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test, vi } from 'vitest'
import { recordSecret } from '../identity/secret-check.ts'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { longTest } from '../test/support/long.ts'
import { SECRET, serve, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { makeBackup } from './make-backup.ts'
import { findBackup, listBackups, secretsKey, writeManifest } from './manifest.ts'
import { writePacked } from './packed.ts'
import { openFolder } from './place.ts'
import { removeBackup } from './prune-backups.ts'
import { findWithSecrets, hasPlainSecrets, readSecret } from './secrets-in-backup.ts'

const PASSPHRASE = 'ein Grüner Tee am Abend'
let parley: Awaited<ReturnType<typeof startParley>>
let folder: string

beforeAll(async () => {
  parley = await startParley()
  await parley.people('ada')
  folder = await newFolder()
  const { app, databaseUrl } = parley
  const secrets = { identity: SECRET, passphrase: PASSPHRASE }
  await recordSecret(app.db, SECRET, app.config)
  await makeBackup({ databaseUrl, db: app.db, storage: app.storage, place: openFolder(folder), keep: 14, secrets })
})

const open = async (passphrase: string, from = folder) => {
  const place = openFolder(from)
  return readSecret(place, await findBackup(place), async () => passphrase)
}

test('the secrets are encrypted, and only their passphrase opens them', async () => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((it) => it.isFile())
  const bytes = await Promise.all(files.map((it) => readFile(join(it.parentPath, it.name))))
  const texts = bytes.map((it) => (it[0] === 0x1f ? gunzipSync(it) : it).toString('latin1'))
  expect(texts.filter((it) => it.includes(SECRET))).toEqual([])
  expect(await open(PASSPHRASE)).toBe(SECRET)
  // As another keyboard types it.
  expect(await open(PASSPHRASE.normalize('NFD'))).toBe(SECRET)
  await expect(open('ein Grüner Tee am Morgen')).rejects.toThrow('encrypted with another passphrase')
})

test('secrets of another backup, unreadable ones and plain ones of 0.2.0', async () => {
  const other = await newFolder()
  const place = openFolder(other)
  const manifest = await findBackup(openFolder(folder))
  const store = async (name: string, body: string) => {
    const secrets = await writePacked(place, secretsKey(name), Readable.from([body]))
    await writeManifest(place, { ...manifest, name, secrets })
  }
  const path = join(folder, secretsKey(manifest.name))
  // Exchanged on the way.
  await store(manifest.name.replace(/^..../, '2997'), gunzipSync(await readFile(path)).toString())
  await expect(open(PASSPHRASE, other)).rejects.toThrow('encrypted with another passphrase')
  for (const [year, body] of [
    ['2998', '{"salt":"zz"}'],
    ['2999', 'no JSON'],
  ] as const) {
    await store(manifest.name.replace(/^..../, year), body)
    await expect(open(PASSPHRASE, other)).rejects.toThrow('is damaged: its secrets are not readable')
  }
  await store(manifest.name.replace(/^..../, '3000'), JSON.stringify({ identity: SECRET }))
  expect(await open('not asked', other)).toBe(SECRET)
  expect(await hasPlainSecrets(place, await findBackup(place))).toBe(true)
  expect(await hasPlainSecrets(openFolder(folder), manifest)).toBe(false)
})

longTest(
  'a machine without the secrets restores with the passphrase, and is told when it is missing or wrong',
  async () => {
    const dataDir = await newFolder()
    const settings = { DATABASE_URL: '', SECRET: '', DATA_DIR: dataDir, BACKUP_TO: folder }
    expect(await run('restore', settings)).toEqual({
      isDone: false,
      text: `The secrets of this backup are encrypted: set BACKUP_PASSPHRASE to their passphrase, or put the saved secrets.json into ${dataDir}.\n`,
    })
    expect(await run('restore', { ...settings, BACKUP_PASSPHRASE: 'some other words' })).toMatchObject({
      isDone: false,
      text: expect.stringContaining('encrypted with another passphrase'),
    })
    expect(await readdir(dataDir)).toEqual([])
    const restored = await run('restore', { ...settings, BACKUP_PASSPHRASE: PASSPHRASE })
    expect(restored).toMatchObject({ isDone: true, text: expect.stringMatching(/^Restored .*: 1 person, /) })
    expect(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')).identity).toBe(SECRET)
  },
)

longTest(
  'the secrets come from an earlier backup if the newest has none, and replace none that are there',
  async () => {
    const { app, databaseUrl } = parley
    const place = openFolder(folder)
    const manifest = await findBackup(place)
    const bare = await makeBackup({ databaseUrl, db: app.db, storage: app.storage, place, keep: 14 })
    expect((await findWithSecrets(place, bare)).name).toBe(manifest.name)
    expect(await findWithSecrets(place, { ...bare, filesId: crypto.randomUUID() })).toMatchObject({ name: bare.name })

    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ identity: 'o'.repeat(40), database: 'x' }), {
      mode: 0o600,
    })
    const settings = { DATABASE_URL: '', SECRET: '', DATA_DIR: dataDir, BACKUP_TO: folder }
    expect(await run('restore', settings, `${folder}/backups/${manifest.name}/`)).toEqual({
      isDone: false,
      text: `The secret in ${dataDir}/secrets.json is not the secret of the workspace of this backup. The backup has it: restore it with an empty DATA_DIR.\n`,
    })
    await removeBackup(place, bare.name)
  },
)

longTest('a command that is stopped takes the database along that it has started', async () => {
  const dataDir = await newFolder()
  const settings = { DATABASE_URL: '', DATA_DIR: dataDir, BACKUP_TO: folder }
  expect(await run('restore', settings)).toMatchObject({ isDone: true })
  const postmaster = () => readFile(join(dataDir, 'postgres/postmaster.pid')).catch(() => undefined)
  for (const [command, ...args] of [['backup'], ['restore', '--replace', '--yes']] as const) {
    const env = { ...process.env, SECRET, ...settings }
    const child = spawn(process.execPath, [`scripts/backup/${command}.ts`, ...args], { env, stdio: 'ignore' })
    const exit = once(child, 'exit')
    await vi.waitUntil(postmaster, { timeout: STATE_TIMEOUT_MS, interval: 20 })
    child.kill('SIGINT')
    await exit
    expect(await postmaster(), command).toBeUndefined()
  }
})

longTest('the command and the schedule include the secrets if BACKUP_PASSPHRASE is set', async () => {
  const place = await newFolder()
  const { databaseUrl, app } = parley
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: app.config.dataDir, BACKUP_TO: place }
  expect(await run('backup', settings, '--with-secrets')).toMatchObject({
    isDone: false,
    text: expect.stringContaining('Set BACKUP_PASSPHRASE: the secrets'),
  })
  expect(await run('backup', { ...settings, BACKUP_PASSPHRASE: 'too short' })).toMatchObject({
    isDone: false,
    text: expect.stringContaining('BACKUP_PASSPHRASE must have at least 12 characters'),
  })
  expect(await readdir(place)).toEqual([])
  expect(await run('backup', { ...settings, BACKUP_PASSPHRASE: PASSPHRASE })).toMatchObject({ isDone: true })
  expect(await open(PASSPHRASE, place)).toBe(SECRET)
  const verify = (passphrase: string) => run('verify-backup', { ...settings, BACKUP_PASSPHRASE: passphrase })
  expect(await verify(PASSPHRASE)).toMatchObject({ isDone: true, text: expect.stringContaining('opens its secrets') })
  expect(await verify('some other words')).toMatchObject({ isDone: false })

  const scheduled = await newFolder()
  await app.db.updateTable('workspace').set({ backedUpAt: null, backupTriedAt: null }).execute()
  const isComplete = async () => (await listBackups(openFolder(scheduled))).some((it) => it.isComplete)
  await serve(databaseUrl, { BACKUP_TO: scheduled, BACKUP_EVERY: '1d', BACKUP_PASSPHRASE: PASSPHRASE })
  await expect.poll(isComplete).toBe(true)
  expect(await open(PASSPHRASE, scheduled)).toBe(SECRET)
})
