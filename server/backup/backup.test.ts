import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { Storage } from '../files/storage.ts'
import { sweepOnce } from '../files/sweep-files.ts'
import { startBucket } from '../test/services/bucket.ts'
import { killAmid, newFolder, run } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { type Person, SECRET, serve, startParley } from '../test/support/parley.ts'
import { readSchema } from '../test/support/schema-breaks.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { makeBackup } from './make-backup.ts'
import { findBackup } from './manifest.ts'
import { openFolder, openPlace } from './place.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

type Parley = Awaited<ReturnType<typeof startParley>>

/** Like the commands, but without a separate process each time. */
const backUp = ({ app, databaseUrl }: Parley, place: Storage, keep = 14) =>
  makeBackup({ databaseUrl, db: app.db, storage: app.storage, place, keep })
const restore = async (place: Storage, databaseUrl: string, secret = SECRET) => {
  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: await newFolder(), SECRET: secret })
  return restoreBackup({ ...{ databaseUrl, config, secret, place, manifest: await findBackup(place) } })
}

/** Fills a workspace with every kind of content. */
async function fill(parley: Parley) {
  const people = await parley.people('ada', 'bob', 'eve')
  const { ada, bob } = people
  const { body: kitchen } = await ada.post('/api/channels', { name: 'kitchen', topic: 'Food "and"\ttabs\\n' })
  const { body: secret } = await ada.post('/api/channels', { name: 'secret', isPrivate: true })
  await bob.post(`/api/channels/${kitchen.id}/join`)
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  const soup = await ada.say(kitchen.id, 'Soup at noon, @bob?\n\\. 🍲 \u0001')
  const reply = { channelId: kitchen.id, parentMessageId: soup.id, content: 'Yes, with bread' }
  const { body: thread } = await bob.post('/api/threads/messages', reply)
  expect(thread).toHaveProperty('id')
  await bob.post(`/api/messages/${soup.id}/reactions`, { emoji: '👍' })
  const gone = await bob.say(kitchen.id, 'Never mind')
  await bob.delete(`/api/messages/${gone.id}`)
  await ada.upload(kitchen.id, 'menu.txt', 'leek and potato')
  await ada.upload(kitchen.id, 'large.bin', new Uint8Array(3_000_000).fill(7))
  await ada.post('/api/invites', {})
  return { people, kitchen, secret, direct, soup }
}

let filled: Promise<Awaited<ReturnType<typeof fill>> & { parley: Parley }> | undefined
/** A workspace that no test changes. */
const workspace = () => {
  filled ??= startParley().then(async (parley) => ({ parley, ...(await fill(parley)) }))
  return filled
}

/** The responses to a person's requests. */
async function answers(person: Pick<Person, 'get'>, channels: string[], thread: string) {
  const urls = [
    `/api/threads/${thread}/messages`,
    `/api/messages/${thread}/reactions`,
    '/api/threads',
    '/api/workspace/people',
    '/api/users',
    '/api/channels',
    '/api/search?q=soup',
    ...channels.flatMap((id) => [`/api/channels/${id}`, `/api/messages/channel/${id}`, `/api/files/channel/${id}`]),
  ]
  const all: Record<string, unknown> = {}
  for (const url of urls) {
    const { status, body } = await person.get(url)
    expect(status, url).toBeLessThan(url.includes('/people') ? 404 : 300)
    all[url] = { status, body }
  }
  return all
}

/** The same person on another server with the same data. */
const at = (app: Awaited<ReturnType<typeof serve>>['app'], { token }: Person): Pick<Person, 'get'> => ({
  get: async (url: string) => {
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    const body = answer.body && answer.json()
    return { status: answer.statusCode, code: body?.error?.code, body, headers: answer.headers }
  },
})

test('a backup made while people write restores everything elsewhere, byte by byte', async () => {
  const { parley, people, kitchen, secret, direct, soup } = await workspace()
  const { ada, bob } = people
  const shared = [kitchen.id, direct.id]
  const before = { ada: await answers(ada, [...shared, secret.id], soup.id), bob: await answers(bob, shared, soup.id) }
  const place = await newFolder()
  const from = { DATABASE_URL: parley.databaseUrl, DATA_DIR: parley.app.config.dataDir, BACKUP_TO: place }
  let isWriting = true
  const general = (await ada.get('/api/channels')).body.channels.find(
    (it: { name: string }) => it.name === 'general',
  ).id
  const writing = (async () => {
    for (let i = 0; isWriting; i++) expect(await ada.say(general, `meanwhile ${i}`)).toHaveProperty('id')
  })()
  const made = await run('backup', from)
  isWriting = false
  await writing
  expect(made.text).toContain('Backed up 3 people, ')

  const url = await newDatabase()
  const to = { DATABASE_URL: url, DATA_DIR: await newFolder(), BACKUP_TO: place }
  await expect(restore(openFolder(place), url, 'another-secret-that-is-long-enough-1')).rejects.toThrow(
    'SECRET is not the secret of this workspace',
  )
  expect(await onDatabase(url, readSchema)).toEqual(new Map())
  expect(await run('restore', to)).toMatchObject({ isDone: true, text: expect.stringMatching(/Restored .*3 people/) })
  expect(await run('restore', to)).toMatchObject({ isDone: false, text: expect.stringContaining('add --replace') })

  // The schema and its sequences match those of a migrated database.
  expect(await onDatabase(url, readSchema)).toEqual(await onDatabase(parley.databaseUrl, readSchema))
  const { app } = await serve(url, to)
  const restored = {
    ada: await answers(at(app, ada), [...shared, secret.id], soup.id),
    bob: await answers(at(app, bob), shared, soup.id),
  }
  expect((await at(app, bob).get(`/api/messages/channel/${secret.id}`)).status).toBe(404)
  for (const name of ['ada', 'bob'] as const)
    for (const [call, answer] of Object.entries(before[name]))
      if (call !== '/api/channels') expect(restored[name][call], `${name} ${call}`).toEqual(answer)
  const epochs = await Promise.all(
    [url, parley.databaseUrl].map((it) =>
      onDatabase(it, async (client) => (await client.query('select epoch from workspace')).rows[0].epoch),
    ),
  )
  expect(epochs[0]).not.toBe(epochs[1])
  const files = (
    await onDatabase(url, (client) => client.query(`select id, name, size from files where state = 'ready'`))
  ).rows
  expect(files).toHaveLength(2)
  for (const { id, name } of files) {
    const bytes = async (server: typeof app) =>
      (await server.inject({ url: `/api/files/${id}/${name}`, headers: { authorization: `Bearer ${ada.token}` } }))
        .rawPayload
    expect(await bytes(app)).toEqual(await bytes(parley.app))
    expect((await bytes(app)).length).toBeGreaterThan(10)
  }
  // It remains usable: new rows get new numbers, and triggers work.
  const sent = await app.inject({
    method: 'POST',
    url: '/api/messages',
    headers: { authorization: `Bearer ${ada.token}` },
    payload: { channelId: kitchen.id, content: 'After the restore' },
  })
  expect(sent.statusCode).toBe(201)
  const { rows: lines } = await onDatabase(url, (client) =>
    client.query(`select kind from audit_log order by id desc limit 1`),
  )
  expect(lines).toEqual([{ kind: 'backup_restored' }])
})

test('a file deleted during a backup keeps its bytes until the end; later backups copy only new files', async () => {
  const parley = await startParley()
  const { people, kitchen } = await fill(parley)
  const place = await newFolder()
  await onDatabase(parley.databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock(7254902, 1)')
    await client.query(`update files set state = 'gone', "isShown" = false where name = 'menu.txt'`)
    await sweepOnce(parley.app.db, parley.app.storage)
    expect((await client.query(`select name from files where state = 'gone'`)).rows).toHaveLength(1)
    await expect(backUp(parley, openFolder(place))).rejects.toThrow('Another backup')
    await client.query(`update files set state = 'ready', "isShown" = true where name = 'menu.txt'`)
  })
  expect(await backUp(parley, openFolder(place), 1)).toMatchObject({ files: { count: 2 } })
  const bytesOf = async () => (await readdir(join(place, 'files'), { recursive: true })).filter((it) => it.length > 30)
  expect(await bytesOf()).toHaveLength(2)
  await onDatabase(parley.databaseUrl, (client) =>
    client.query(`update files set state = 'gone', "isShown" = false where name = 'menu.txt'`),
  )
  await people.ada.upload(kitchen.id, 'new.txt', 'new')
  await sweepOnce(parley.app.db, parley.app.storage)
  expect(await backUp(parley, openFolder(place), 1)).toMatchObject({ files: { count: 2 } })
  // The backup that contained it was removed along with its bytes.
  expect(await bytesOf()).toHaveLength(2)
  expect(await readdir(join(place, 'backups'))).toHaveLength(1)
})

test('damaged, incomplete and foreign backups are refused with a message, and leave nothing behind', async () => {
  const { parley } = await workspace()
  const place = await newFolder()
  const kept = openFolder(place)
  await backUp(parley, kept)
  const [name = ''] = await readdir(join(place, 'backups'))
  const folder = join(place, 'backups', name)
  const url = await newDatabase()
  const verify = async () => {
    const { damages } = await verifyBackup(kept, await findBackup(kept))
    if (damages.length > 0) throw new StartError(damages.join('\n'))
  }
  const damage = async (file: string, change: (bytes: Buffer) => Buffer | string, sentence: RegExp) => {
    const path = join(folder, file)
    const bytes = await readFile(path)
    await writeFile(path, change(bytes))
    for (const act of [verify, () => restore(kept, url)]) {
      const error = await act().catch((failure) => failure)
      expect(error, file).toBeInstanceOf(StartError)
      expect(error.message, file).toMatch(sentence)
    }
    expect(await onDatabase(url, readSchema)).toEqual(new Map())
    await writeFile(path, bytes)
  }
  const flip = (bytes: Buffer) => {
    const at = Math.min(40, bytes.length - 1)
    return Buffer.from(bytes).fill(bytes[at] === 1 ? 2 : 1, at, at + 1)
  }
  await damage(
    'database/messages.copy.gz',
    flip,
    /^The backup is damaged: .*messages\.copy\.gz is not what was stored\.$/,
  )
  await damage('database/users.copy.gz', (bytes) => bytes.subarray(0, 60), /^The backup is damaged: .*users/)
  await damage('files.list.gz', flip, /^The backup is damaged: .*files\.list/)
  await damage('manifest.json', (bytes) => bytes.subarray(0, 100), /is damaged: its manifest/)
  const text = (bytes: Buffer) => bytes.toString()
  await damage('manifest.json', (bytes) => text(bytes).replace('"format": 1', '"format": 2'), /newer version/)
  await damage('manifest.json', (bytes) => text(bytes).replace('"messages"', '"../../x"'), /is damaged: its manifest/)
  const [shared = ''] = (await readdir(join(place, 'files'), { recursive: true })).filter((it) => it.length > 30)
  await damage(join('../../files', shared), flip, /files\/.* (is not what was stored|is missing)/)
  expect(await restore(kept, url)).toEqual([])
})

longTest('a killed backup or restore can be repeated, and its partial result does not count', async () => {
  const { parley, people } = await workspace()
  const place = await newFolder()
  const from = { DATABASE_URL: parley.databaseUrl, DATA_DIR: parley.app.config.dataDir, BACKUP_TO: place }
  const isThere = async () => (await readdir(join(place, 'files')).catch(() => [])).length > 0
  await killAmid('backup', from, isThere)
  expect(await run('verify-backup', from)).toMatchObject({ text: `There is no backup in ${place}.\n` })
  await backUp(parley, openFolder(place))
  expect(await readdir(join(place, 'backups'))).toHaveLength(1)
  expect(await run('verify-backup', from)).toMatchObject({ isDone: true, text: expect.stringContaining('is complete') })

  const url = await newDatabase()
  const to = { DATABASE_URL: url, DATA_DIR: await newFolder(), BACKUP_TO: place }
  // The transaction has started to load rows.
  const isLoading = () =>
    onDatabase(url, async (client) => {
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and query ~ '^(copy|alter|truncate)'`,
      )
      return rows.length > 0
    })
  await killAmid('restore', to, isLoading)
  await vi.waitUntil(async () => !(await isLoading()), { timeout: STATE_TIMEOUT_MS, interval: 5 })
  expect(await onDatabase(url, readSchema)).toEqual(new Map())
  expect(await run('restore', to)).toMatchObject({ isDone: true })
  const { app } = await serve(url, to)
  expect((await at(app, people.ada).get('/api/users')).status).toBe(200)
  // Before it writes any files.
  const elsewhere = { ...to, DATA_DIR: await newFolder() }
  expect(await run('restore', elsewhere, '--replace', '--yes')).toMatchObject({
    isDone: false,
    text: expect.stringContaining('Parley is running on this database'),
  })
  expect(await readdir(elsewhere.DATA_DIR)).toEqual([])
  await app.close()
  expect(await run('restore', to, '--replace')).toMatchObject({ isDone: false, text: expect.stringContaining('--yes') })
})

longTest('files and backups may be in buckets', async () => {
  const bucket = await startBucket()
  const parley = await startParley({ ...bucket.settings(), BACKUP_TO: 's3://parley/kept' })
  const { people, kitchen } = await fill(parley)
  const kept = await openPlace(parley.app.config.backup.place ?? { folder: '' })
  await backUp(parley, kept)
  expect(await backUp(parley, kept)).toMatchObject({ files: { count: 2, missing: 0 } })
  expect(await verifyBackup(kept, await findBackup(kept))).toMatchObject({ damaged: 0, missing: [] })
  const url = await newDatabase()
  // From a bucket to a folder.
  const to = { DATABASE_URL: url, DATA_DIR: await newFolder(), BACKUP_TO: 's3://parley/kept' }
  const { S3_BUCKET: _, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings()
  const other = {
    BACKUP_S3_ENDPOINT: S3_ENDPOINT,
    BACKUP_S3_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
    BACKUP_S3_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY,
  }
  expect(await run('restore', { ...to, ...other })).toMatchObject({ isDone: true })
  const { BACKUP_TO: __, ...place } = to
  const { app } = await serve(url, place)
  const { body } = await at(app, people.ada).get(`/api/messages/channel/${kitchen.id}`)
  expect(body).toEqual((await people.ada.get(`/api/messages/channel/${kitchen.id}`)).body)
})
