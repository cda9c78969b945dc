import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Setting, StorageEntry, WorkspaceHealth } from '#contract/administration'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley({ METRICS_TOKEN: 'a-secret-that-nobody-sees' })
const { app } = parley
const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
const general = (await ada.get('/api/channels')).body.channels.find((it: { isGeneral: boolean }) => it.isGeneral)
  .id as string

const storage = async (query: string) => {
  const { body } = await ada.get(`/api/workspace/storage?${query}`)
  return body as { entries: StorageEntry[]; next: string | null; hidden: { bytes: number; files: number } }
}

test('administrators see the health of the server', async () => {
  const { status, body } = await ada.get('/api/workspace/health')
  expect(status).toBe(200)
  const health = body as WorkspaceHealth
  expect(health).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+/),
    nodes: { running: 1, heard: 0 },
    bus: 'database',
    files: { place: 'disk' },
    backups: { isScheduled: false, lastAt: null },
    mail: { isSent: false, waiting: 0, failed: 0, lastError: null },
  })
  expect(health.database.bytes).toBeGreaterThan(0)
  for (const path of ['health', 'settings', 'storage?by=person'])
    expect((await bob.get(`/api/workspace/${path}`)).status).toBe(403)
})

test('settings are shown by their variables, without secrets', async () => {
  const settings = (await ada.get('/api/workspace/settings')).body as Setting[]
  const of = (name: string) => settings.find((it) => it.name === name)
  expect(of('SIGNUP')).toEqual({ name: 'SIGNUP', value: null, isSet: false })
  expect(of('FILE_QUOTA')).toEqual({ name: 'FILE_QUOTA', value: '5120 MB', isSet: true })
  expect(of('PUBLIC_URL')).toEqual({ name: 'PUBLIC_URL', value: null, isSet: false })
  expect(of('METRICS_TOKEN')).toEqual({ name: 'METRICS_TOKEN', value: null, isSet: true })
  expect(JSON.stringify(settings)).not.toContain('nobody-sees')
})

test('storage is counted by person and channel, with every change, and listed in pages', async () => {
  const { body: secret } = await bob.post('/api/channels', { name: 'quiet place', isPrivate: true })
  await ada.upload(general, 'a.txt', 'x'.repeat(1000))
  await bob.upload(general, 'b.txt', 'x'.repeat(2000))
  const { body: hidden } = await bob.upload(secret.id, 'c.txt', 'x'.repeat(4000))
  expect((await storage('by=person')).entries).toEqual([
    { id: bob.id, name: 'Bob', bytes: 6000, files: 2 },
    { id: ada.id, name: 'Ada', bytes: 1000, files: 1 },
  ])
  const first = await storage('by=person&limit=1')
  expect(first.entries.map(({ name }) => name)).toEqual(['Bob'])
  const second = await storage(`by=person&limit=1&cursor=${encodeURIComponent(first.next ?? '')}`)
  expect([second.entries.map(({ name }) => name), second.next]).toEqual([['Ada'], null])

  const channels = await storage('by=channel')
  expect(channels.entries).toEqual([{ id: general, name: 'general', bytes: 3000, files: 2 }])
  expect(channels.hidden).toEqual({ bytes: 4000, files: 1 })
  expect(JSON.stringify(channels)).not.toContain('quiet')
  await ada.patch('/api/workspace/channels', { listsPrivate: true })
  expect((await storage('by=channel')).entries[0]).toEqual({
    id: secret.id,
    name: 'quiet place',
    bytes: 4000,
    files: 1,
  })
  expect((await cyd.get('/api/workspace/storage?by=channel')).status).toBe(403)

  expect((await bob.delete(`/api/files/${hidden.id}`)).status).toBe(204)
  await expect.poll(async () => (await storage('by=person')).entries[0]).toMatchObject({ bytes: 2000, files: 1 })
  for (const query of ['', 'by=nothing', 'by=person&cursor=x', 'by=person&limit=101'])
    expect((await ada.get(`/api/workspace/storage?${query}`)).status).toBe(400)
})

test('the counts match the stored files', async () => {
  const counted = await sql<{ bytes: number; files: number }>`
    select sum(bytes)::float8 as bytes, sum(files)::int as files from storage_use where kind = 'person'`.execute(app.db)
  const there = await sql<{ bytes: number; files: number }>`
    select sum(size)::float8 as bytes, count(*)::int as files from files where state = 'ready'`.execute(app.db)
  expect(counted.rows).toEqual(there.rows)
})
