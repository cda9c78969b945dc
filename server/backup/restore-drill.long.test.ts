import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { recordSecret } from '../identity/secret-check.ts'
import { isAlive } from '../postgres/process-checks.ts'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { longTest } from '../test/support/long.ts'
import { SECRET, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { makeBackup } from './make-backup.ts'
import { type Manifest, tableKey, writeManifest } from './manifest.ts'
import { openFolder } from './place.ts'

const PETABYTE = 1024 ** 5

let parley: Awaited<ReturnType<typeof startParley>>
let folder: string
let manifest: Manifest

beforeAll(async () => {
  parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  const { body: channel } = await ada.post('/api/channels', { name: 'kitchen' })
  await bob.post(`/api/channels/${channel.id}/join`)
  await bob.say(channel.id, 'Soup at noon')
  await ada.upload(channel.id, 'menu.txt', 'leek and potato')
  folder = await newFolder()
  const { app, databaseUrl } = parley
  await recordSecret(app.db, SECRET, app.config)
  manifest = await makeBackup({ databaseUrl, db: app.db, storage: app.storage, place: openFolder(folder), keep: 14 })
})

const settings = async () => ({ DATABASE_URL: '', DATA_DIR: await newFolder(), BACKUP_TO: folder })

test('a drill restores the newest backup, reads in it, and leaves nothing behind', async () => {
  const place = await newFolder()
  // Others may use the name in a folder for everybody.
  const victim = await newFolder()
  await symlink(victim, join(place, 'parley-restore-drill-999999-link'))
  await mkdir(join(place, 'parley-restore-drill-999998-open'))
  await chmod(join(place, 'parley-restore-drill-999998-open'), 0o777)
  await symlink(victim, join(place, 'parley-restore-drill-999998-open', 'data'))
  const foreign = await readdir(place)
  const before = await parley.app.db.selectFrom('sessions').selectAll().execute()
  const { isDone, text } = await run('restore-drill', await settings(), `--in=${place}`)
  expect(text).toMatch(/^Restoring .* into .*\nRestored in .*: 2 people, .* 1 file \(/)
  expect(text).toContain('Signed in, and read the newest messages and a file.')
  expect(text).toContain('The drill is over: this backup can be restored.')
  expect(isDone).toBe(true)
  expect(await readdir(place)).toEqual(foreign)
  expect(await readdir(victim)).toEqual([])
  // The workspace itself wasn't touched.
  expect(await parley.app.db.selectFrom('sessions').selectAll().execute()).toEqual(before)
})

longTest('a drill fails with a sentence: no secrets, other secrets, no room, a damaged table', async () => {
  const place = await newFolder()
  const drill = async (more: NodeJS.ProcessEnv = {}) =>
    run('restore-drill', { ...(await settings()), ...more }, `--in=${place}`)
  const refused = (sentence: string) => ({ isDone: false, text: expect.stringContaining(sentence) })
  expect(await drill({ SECRET: '' })).toEqual(refused('The secrets are neither in this backup nor in '))
  expect(await drill({ SECRET: 'x'.repeat(40) })).toEqual(
    refused('SECRET is not the secret of the workspace of this backup'),
  )

  const path = join(folder, tableKey(manifest.name, 'messages'))
  const bytes = await readFile(path)
  await writeFile(path, Buffer.from(bytes).fill(0, 30, 40))
  expect(await drill()).toEqual(refused('messages.copy.gz is not what was stored'))
  await writeFile(path, bytes)

  const kept = openFolder(folder)
  const [table, ...others] = manifest.tables as [(typeof manifest.tables)[0], ...typeof manifest.tables]
  await writeManifest(kept, { ...manifest, tables: [{ ...table, size: PETABYTE }, ...others] })
  expect(await drill()).toEqual(refused(`are free in ${place}. --in=FOLDER restores it elsewhere`))
  await writeManifest(kept, manifest)
  expect(await readdir(place)).toEqual([])
})

longTest('a drill that is stopped deletes what it has restored', async () => {
  const place = await newFolder()
  const env = { ...process.env, REDIS_URL: '', SECRET, ...(await settings()) }
  const child = spawn(process.execPath, ['scripts/backup/restore-drill.ts', `--in=${place}`], { env })
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  const exit = once(child, 'exit')
  const isThere = async () => (await readdir(place, { recursive: true })).some((it) => it.endsWith('PG_VERSION'))
  await vi.waitUntil(isThere, { timeout: STATE_TIMEOUT_MS, interval: 20 })
  child.kill('SIGINT')
  expect(await exit).toEqual([1, null])
  expect(text).toBe('The drill was stopped.\n')
  expect(await readdir(place)).toEqual([])
})

longTest('a drill whose output nobody reads any more deletes what it has restored', async () => {
  const place = await newFolder()
  const env = { ...process.env, REDIS_URL: '', SECRET, ...(await settings()) }
  const child = spawn(process.execPath, ['scripts/backup/restore-drill.ts', `--in=${place}`], { env })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  child.stderr.destroy()
  expect(await exit).toEqual([0, null])
  expect(await readdir(place)).toEqual([])
})

longTest('a drill that was killed is tidied up by the next one', async () => {
  const place = await newFolder()
  const env = { ...process.env, REDIS_URL: '', SECRET, ...(await settings()) }
  const child = spawn(process.execPath, ['scripts/backup/restore-drill.ts', `--in=${place}`], { env, stdio: 'ignore' })
  const exit = once(child, 'exit')
  const find = async (name: string) => (await readdir(place, { recursive: true })).find((it) => it.endsWith(name))
  await vi.waitUntil(() => find('data/postgres/postmaster.pid'), { timeout: STATE_TIMEOUT_MS, interval: 20 })
  const pid = Number(
    (await readFile(join(place, (await find('data/postgres/postmaster.pid')) ?? ''), 'utf8')).split('\n')[0],
  )
  child.kill('SIGKILL')
  await exit
  const { isDone, text } = await run('restore-drill', env, `--in=${place}`)
  expect(text).toMatch(/^Deleting .*parley-restore-drill-\S+, which an earlier drill left behind …\n/)
  expect(isDone).toBe(true)
  expect(await readdir(place)).toEqual([])
  await expect.poll(() => isAlive(pid), { timeout: STATE_TIMEOUT_MS }).toBe(false)
})
