import { expect, test } from 'vitest'
import type { CustomEmoji } from '#contract/custom-emoji'
import type { Export } from '#contract/exports'
import { storageKeyOf } from '../../files/storage.ts'
import { addEmoji, isMoving, movingPicture } from '../../test/support/emoji-pictures.ts'
import { type Person, startParley } from '../../test/support/parley.ts'
import { readZip } from '../../test/support/read-zip.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const parley = await startParley()
const { olga, ada, bob, gus } = await parley.people('olga', 'ada', 'bob', 'gus')
const { db, storage } = parley.app
await addEmoji(ada, 'sloop', undefined, ['dinghy', 'ketch'])
await addEmoji(bob, 'spin', await movingPicture())

async function exported(by: Person, scope: object) {
  expect((await by.post('/api/exports', scope)).status).toBe(201)
  const newest = async (): Promise<Export> => (await by.get('/api/exports')).body[0]
  await expect.poll(async () => (await newest()).state, { timeout: STATE_TIMEOUT_MS }).toBe('done')
  const { rawPayload } = await parley.app.inject({
    url: `/api/exports/${(await newest()).id}/archive`,
    headers: { authorization: `Bearer ${by.token}` },
  })
  const files = await readZip(rawPayload)
  const lines = (path: string) =>
    String(files.get(path))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { files, lines }
}

async function pictureAt(url: string) {
  const answer = await parley.app.inject({ url, headers: { authorization: `Bearer ${ada.token}` } })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}

test('every export has the emoji of the workspace with all names, and the moving picture of one that moves', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'harbour' })
  const { body: list } = await ada.get('/api/emoji')
  const of = (name: string) => list.find((it: CustomEmoji) => it.name === name) as CustomEmoji
  const scopes = [
    [ada, { scope: 'mine' }],
    [ada, { scope: 'channel', channelId: channel.id }],
    [olga, { scope: 'workspace' }],
  ] as const
  for (const [by, scope] of scopes) {
    const { files, lines } = await exported(by, scope)
    expect(lines('data/emoji.jsonl')).toEqual([
      {
        ...{ name: 'sloop', aliases: ['dinghy', 'ketch'], createdAt: of('sloop').createdAt, createdBy: ada.id },
        path: 'emoji/sloop.webp',
      },
      { name: 'spin', aliases: [], createdAt: of('spin').createdAt, createdBy: bob.id, path: 'emoji/spin.webp' },
    ])
    const [sloop, spin] = ['emoji/sloop.webp', 'emoji/spin.webp'].map((path) => files.get(path) as Buffer)
    expect(sloop).toEqual(await pictureAt(of('sloop').url))
    expect(spin).toEqual(await pictureAt(of('spin').url))
    expect(await isMoving(spin as Buffer)).toBe(true)
  }
})

test('a guest exports the emoji without who added them', async () => {
  await db.updateTable('users').set({ role: 'guest' }).where('id', '=', gus.id).execute()
  const { files, lines } = await exported(gus, { scope: 'mine' })
  expect(lines('data/emoji.jsonl').map(({ name, createdBy }) => [name, createdBy])).toEqual([
    ['sloop', undefined],
    ['spin', undefined],
  ])
  expect(String(files.get('data/emoji.jsonl'))).not.toMatch(new RegExp(`${ada.id}|${bob.id}`))
})

test('an emoji whose picture is lost is left out, and texts keep its name', async () => {
  await addEmoji(ada, 'lost')
  const { body: channel } = await ada.post('/api/channels', { name: 'wreck' })
  await ada.say(channel.id, 'a :lost: :sloop:')
  const { fileId } = await db
    .selectFrom('emoji')
    .innerJoin('emoji_names', 'emojiId', 'emoji.id')
    .select('fileId')
    .where('name', '=', 'lost')
    .executeTakeFirstOrThrow()
  await storage.remove([storageKeyOf(fileId)])
  const { files, lines } = await exported(ada, { scope: 'channel', channelId: channel.id })
  expect(lines('data/emoji.jsonl').map(({ name }) => name)).toEqual(['sloop', 'spin'])
  expect([...files.keys()].filter((path) => path.startsWith('emoji/'))).toEqual(['emoji/sloop.webp', 'emoji/spin.webp'])
  expect(String(files.get(`channels/${channel.id}/1.html`))).toContain('a :lost: <img class="emoji"')
})

test('pages show emoji in texts and reactions as pictures, and which messages are pinned', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'quay', topic: 'All :dinghy:s', members: [bob.id] })
  const pinned = await ada.say(channel.id, 'Set sail :dinghy:\n```\n:sloop:\n```')
  await bob.post(`/api/messages/${pinned.id}/reactions`, { emoji: ':spin:' })
  await ada.say(channel.id, 'later')
  expect((await bob.put(`/api/messages/${pinned.id}/pin`, {})).status).toBe(200)
  const { files, lines } = await exported(ada, { scope: 'channel', channelId: channel.id })
  const page = String(files.get(`channels/${channel.id}/1.html`))
  const [, first = '', second = ''] = page.split('<article')
  expect(first).toContain('Set sail <img class="emoji" src="../../emoji/sloop.webp" alt=":dinghy:" title=":dinghy:">')
  expect(first).toContain('<pre>:sloop:</pre>')
  expect(first).toContain('<img class="emoji" src="../../emoji/spin.webp" alt=":spin:" title=":spin:"> 1</span>')
  expect([first, second].map((it) => it.includes('Pinned'))).toEqual([true, false])
  expect(lines(`data/messages/${channel.id}.jsonl`)).toMatchObject([
    { pinnedBy: bob.id, pinnedAt: expect.any(String) },
    { pinnedBy: null, pinnedAt: null },
  ])
})

test('a channel is exported with when it was archived', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'old quay' })
  const archivedAt = async () =>
    (await exported(ada, { scope: 'channel', channelId: channel.id })).lines('data/channels.jsonl')[0].archivedAt
  expect(await archivedAt()).toBeNull()
  const { body } = await ada.put(`/api/channels/${channel.id}/archive`, {})
  expect(body.archivedAt).toEqual(expect.any(String))
  expect(await archivedAt()).toBe(body.archivedAt)
})
