import { randomBytes } from 'node:crypto'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onDatabase } from '../support/database.ts'
import { type ApiClient, openServerProcess, signUpClient } from '../support/server-process.ts'
import { smallDisk } from '../support/small-disk.ts'

/** A new database takes 45 MB, and there are two. */
const DISK_MEGABYTES = 200
/** Incompressible, and just fits into a page. */
const LONG_BYTES = 3000
const disk = await smallDisk(DISK_MEGABYTES)
const FULL = { error: { code: 'storage_full', reason: 'diskFull', message: expect.stringMatching(/disk is full/) } }

const say = (person: ApiClient, channelId: string, content: string) =>
  person.call('POST', '/api/messages', { channelId, content, clientId: crypto.randomUUID() })

test.skipIf(!disk)(
  'people, probes and the log are told that the database’s disk is full until there is space',
  async () => {
    const dataDir = join(disk as string, 'data')
    const parley = await openServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'info' })
    await parley.start()
    const ada = await signUpClient(parley.address, 'ada')
    const { body: channel } = await ada.call('POST', '/api/channels', { name: 'kitchen' })
    const { body: first } = await say(ada, channel.id, 'first')
    const state = async () => ({
      ready: await fetch(`${parley.address}/readyz`).then(async (it) => [it.status, await it.json()]),
      metric: /^parley_database_disk_full (\d)$/m.exec(await (await fetch(`${parley.address}/metrics`)).text())?.[1],
    })
    expect(await state()).toEqual({ ready: [200, { status: 'ok' }], metric: '0' })

    const filler = join(disk as string, 'filler')
    const { bavail, bsize } = await statfs(disk as string)
    await writeFile(filler, Buffer.alloc(bavail * bsize))
    // The last pages of the tables have space for a few more.
    const stored: string[] = ['first']
    const sayLong = async () => {
      const content = randomBytes(LONG_BYTES).toString('base64')
      const answer = await say(ada, channel.id, content)
      if (answer.status === 201) stored.push(content)
      return answer
    }
    const refused = { status: 507, body: FULL }
    await expect.poll(sayLong, { interval: 0 }).toMatchObject(refused)
    for (let i = 0; i < 10; i++) expect(await sayLong()).toMatchObject(refused)
    const content = randomBytes(LONG_BYTES).toString('base64')
    expect(await ada.call('PUT', `/api/messages/${first.id}`, { content })).toMatchObject(refused)
    expect(await state()).toEqual({ ready: [200, { status: 'disk_full' }], metric: '1' })
    const { body } = await ada.call('GET', `/api/messages/channel/${channel.id}`)
    expect(body.map((it: { content: string }) => it.content)).toEqual(stored)

    await rm(filler)
    expect(await say(ada, channel.id, 'here again')).toMatchObject({ status: 201 })
    await expect.poll(state).toEqual({ ready: [200, { status: 'ok' }], metric: '0' })
    const lines = parley
      .log()
      .split('\n')
      .filter((line) => /disk/.test(line))
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      `the database’s disk (DATA_DIR ${dataDir}) is full: nothing can be stored until there is space on it`,
      'the database’s disk has space again',
    ])
  },
)

/** PostgreSQL's WAL consists of files of 16 MB. */
const LESS_THAN_A_LOG_FILE = 12_000_000

test('a disk without space for PostgreSQL’s WAL stops Parley, which reports why and loses nothing', async () => {
  if (!disk) return
  const parley = await openServerProcess({ DATA_DIR: join(disk, 'other') })
  await parley.start()
  const ada = await signUpClient(parley.address, 'ada')
  const { body: channel } = await ada.call('POST', '/api/channels', { name: 'kitchen' })
  const filler = join(disk, 'filler')
  const { bavail, bsize } = await statfs(disk)
  await writeFile(filler, Buffer.alloc(bavail * bsize - LESS_THAN_A_LOG_FILE))
  const stored: string[] = []
  while (parley.isRunning()) {
    const content = randomBytes(LONG_BYTES).toString('base64')
    const answer = await say(ada, channel.id, content).catch(() => undefined)
    if (answer?.status === 201) stored.push(answer.body.id)
  }
  expect(parley.log()).toMatch(/the disk with \S+postgres is full\. Make room on it, then start Parley again/)
  await rm(filler)
  await parley.start()
  const found = await onDatabase(await parley.databaseUrl(), (client) => client.query('select id from messages'))
  expect(found.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(stored))
})
