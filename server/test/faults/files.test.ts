import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { StoredFile } from '#contract/files'
import { readFilesId } from '../../channels/workspace.ts'
import { readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/database.ts'
import { openStorage } from '../../files/open-storage.ts'
import { isStorageKey, type Storage, storageKeyOf } from '../../files/storage.ts'
import { removeOrphanedBytes, sweepOnce } from '../../files/sweep-files.ts'
import { startBucket } from '../services/bucket.ts'
import { onDatabase } from '../support/database.ts'
import { isLong, longTest } from '../support/long.ts'
import { newDatabase } from '../support/new-database.ts'
import { startParley } from '../support/parley.ts'
import { openRawConnection } from '../support/raw-socket.ts'
import { openServerProcess, signUpClient } from '../support/server-process.ts'
import { smallDisk } from '../support/small-disk.ts'
import { inTime } from '../support/timeouts.ts'

const MB = 1024 * 1024
const rounds = isLong ? 30 : 1

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const disk = await smallDisk(4)

test.skipIf(!disk)('on a full disk, uploads are refused and leave nothing behind; messages still work', async () => {
  const parley = await startParley({ DATA_DIR: disk })
  const ada = await parley.person('ada')
  const { body: channel } = await ada.post('/api/channels', { name: 'kitchen' })
  const full = await ada.upload(channel.id, 'big', new Uint8Array(6 * MB))
  expect(full).toMatchObject({ status: 507, code: 'storage_full' })
  expect(full.body.error.message).not.toMatch(/ENOSPC|\/tmp/)
  expect(await parley.app.db.selectFrom('files').select('id').execute()).toEqual([])
  expect((await ada.say(channel.id, 'still here')).seq).toBe(1)
  // There is space again.
  for (let i = 0; i < 3; i++) {
    const { status, body } = await ada.upload(channel.id, 'fits', new Uint8Array(3 * MB))
    expect(status).toBe(201)
    await ada.delete(`/api/files/${body.id}`)
    await sweepOnce(parley.app.db, parley.app.storage)
  }
})

test('with an unreachable file store, requests get 503 until it is back', async () => {
  const bucket = await startBucket()
  const parley = await startParley(bucket.settings())
  const ada = await parley.person('ada')
  const down = { status: 503, code: 'unavailable', headers: { 'retry-after': '5' } }
  const { body: file } = await ada.upload(undefined, 'before', 'bytes')
  await bucket.stop()
  expect(await ada.upload(undefined, 'meanwhile', 'bytes')).toMatchObject(down)
  expect(await ada.get(file.url)).toMatchObject(down)
  // Metadata can still be written, so the deletion works.
  expect((await ada.get('/api/files')).body).toHaveLength(1)
  expect((await ada.delete(`/api/files/${file.id}`)).status).toBe(204)
  await expect(sweepOnce(parley.app.db, parley.app.storage)).rejects.toThrow()
  await bucket.start()
  expect((await ada.upload(undefined, 'after', 'bytes')).status).toBe(201)
  await sweepOnce(parley.app.db, parley.app.storage, { abandoned: 0 })
  await expectWhole(parley.app, parley.app)
})

/** An S3 store that fails in one way. */
async function badStore(answer: (server: Server) => void) {
  const server = createServer()
  answer(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'parley',
    S3_ACCESS_KEY_ID: 'x',
    S3_SECRET_ACCESS_KEY: 'x',
  }
}

test.each([
  [
    'says 503',
    (server: Server) =>
      server.on('request', (request, reply) => request.resume().on('end', () => reply.writeHead(503).end())),
  ],
  [
    'takes the bytes, and has other ones then',
    (server: Server) =>
      server.on('request', (request, reply) =>
        request
          .resume()
          .on('end', () => reply.writeHead(200, { 'content-length': 3 }).end(request.method === 'HEAD' ? '' : 'xyz')),
      ),
  ],
  ['hangs up', (server: Server) => server.on('connection', (socket) => socket.on('data', () => socket.destroy()))],
])('a file store that %s leaves no file in the database', async (_, answer) => {
  const parley = await startParley(await badStore(answer))
  const ada = await parley.person('ada')
  expect(await ada.upload(undefined, 'x', 'bytes')).toMatchObject({ status: 503, code: 'unavailable' })
  expect((await ada.get('/api/files')).body).toEqual([])
  expect(await parley.app.db.selectFrom('files').where('state', '=', 'ready').select('id').execute()).toEqual([])
})

longTest('a read from a file store that never answers fails within five seconds, after one request', async () => {
  const id = '01900000-0000-7000-8000-000000000000'
  let requests = 0
  // Ignores the server's own listing of all files.
  const count = ({ url = '' }: IncomingMessage) => url.includes(id) && requests++
  const parley = await startParley(await badStore((server) => server.on('request', count)))
  const ada = await parley.person('ada')
  const { id: userId } = ada
  const { body: bucket } = await ada.get('/api/channels/public')
  const row = {
    id,
    userId,
    channelId: bucket.id,
    name: 'x',
    type: 'text/plain',
    size: 5,
    state: 'ready',
    isShown: true,
  }
  await parley.app.db.insertInto('files').values(row).execute()
  const answer = await inTime(ada.get(`/api/files/${id}/x`), parley.address)
  expect(answer).toMatchObject({ status: 503, code: 'unavailable' })
  expect(requests).toBe(1)
})

/** Expects that every file has all its bytes, and that no bytes are stored without a file. */
async function expectWhole({ db }: Pick<ReturnType<typeof openDatabase>, 'db'>, { storage }: { storage: Storage }) {
  const files = await db.selectFrom('files').select(['id', 'state', 'size', 'thumbnailSize']).execute()
  expect(files.filter(({ state }) => state !== 'ready')).toEqual([])
  const expected = files.flatMap(({ id, thumbnailSize }) => [
    storageKeyOf(id),
    ...(thumbnailSize === null ? [] : [`${storageKeyOf(id)}.webp`]),
  ])
  const found = []
  for await (const { key } of storage.list()) if (isStorageKey(key)) found.push(key)
  expect(found.sort()).toEqual(expected.sort())
  for (const { id, size } of files) {
    const bytes = await storage.read(storageKeyOf(id), size)
    expect(bytes, 'a file without its bytes').toBeDefined()
    bytes?.destroy()
  }
}

longTest(
  `killed during uploads ${rounds} times: every acknowledged file is there, and a sweep removes everything else`,
  {
    timeout: 120_000 + rounds * 60_000,
  },
  async () => {
    const parley = await openServerProcess({ DATABASE_URL: await newDatabase() })
    await parley.start()
    const ada = await signUpClient(parley.address, 'ada')
    const answered: string[] = []
    let isOver = false
    const upload = async (size: number) => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(size)]), `${size}.bin`)
      const headers = { authorization: `Bearer ${ada.token}` }
      const answer = await fetch(`${parley.address}/api/files/upload`, { method: 'POST', headers, body: form })
      if (answer.status === 201) answered.push(((await answer.json()) as StoredFile).id)
    }
    const bob = await signUpClient(parley.address, 'bob')
    /** Begins an upload that never ends, so that every kill hits at least one. */
    const beginUpload = async () => {
      const pending = async () => {
        const { rows } = await onDatabase(await parley.databaseUrl(), (client) =>
          client.query(`select from files where name = 'half.bin' and state = 'pending'`),
        )
        return rows.length
      }
      const before = await pending()
      const line = await openRawConnection(parley.address)
      line.write(
        `POST /api/files/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${bob.token}\r\n` +
          `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${MB}\r\n\r\n` +
          '--edge\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\n\r\nhalf of it',
      )
      await expect.poll(pending).toBe(before + 1)
    }
    const uploaders = Array.from({ length: 4 }, async (_, i) => {
      while (!isOver) await upload((i + 1) * 700_000).catch(() => sleep(50))
    })
    for (let round = 0; round < rounds; round++) {
      const before = answered.length
      await expect.poll(() => answered.length, { interval: 10 }).toBeGreaterThan(before + 3)
      await beginUpload()
      // At a random moment during an upload.
      await sleep(Math.random() * 100)
      await parley.kill('SIGKILL')
      await parley.start()
    }
    isOver = true
    await Promise.all(uploaders)

    const database = openDatabase(await parley.databaseUrl(), { onError: () => {} })
    ends.push(() => database.db.destroy())
    const storage = await openStorage(readConfig({ DATA_DIR: parley.dataDir }), await readFilesId(database.db))
    const left = await database.db.selectFrom('files').select('id').where('state', '=', 'pending').execute()
    expect(left.length, 'a kill hit no upload').toBeGreaterThanOrEqual(rounds)
    while (await sweepOnce(database.db, storage, { abandoned: 0 }));
    await expectWhole(database, { storage })
    expect(await removeOrphanedBytes(database.db, storage, -1)).toBe(0)
    const there = await database.db.selectFrom('files').select('id').execute()
    expect(there.map(({ id }) => id)).toEqual(expect.arrayContaining(answered))
  },
)
