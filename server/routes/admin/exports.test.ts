import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Export } from '#contract/exports'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { archiveKeyOf } from '../../exports/export-jobs.ts'
import { PICTURE } from '../../test/support/fixture.ts'
import { type Person, serve, startParley } from '../../test/support/parley.ts'
import { readZip } from '../../test/support/read-zip.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
const { db, storage } = parley.app

const newest = async (by: Person): Promise<Export> => (await by.get('/api/exports')).body[0]
async function finished(by: Person, body: object) {
  const { status, body: created } = await by.post('/api/exports', body)
  expect(status).toBe(201)
  await expect.poll(async () => (await newest(by)).state, { timeout: STATE_TIMEOUT_MS }).toBe('done')
  return newest(by).then((done) => ({ ...done, id: created.id as string }))
}
const archive = async (by: Person, { id }: { id: string }, headers = {}) => {
  const answer = await parley.app.inject({
    url: `/api/exports/${id}/archive`,
    headers: { authorization: `Bearer ${by.token}`, ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}
const jsonOf = (file: Buffer | undefined) =>
  String(file)
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('a channel’s owner exports it: messages, threads, reactions and files, as data and as pages to read', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'plans <b>', members: [bob.id] })
  const evil = '<script>alert(1)</script> & "quotes" https://example.com/?a=1&b=<i>'
  const parent = await ada.say(channel.id, evil)
  await bob.post('/api/threads/messages', { parentMessageId: parent.id, content: 'I agree' })
  await bob.post(`/api/messages/${parent.id}/reactions`, { emoji: '👍' })
  const { body: file } = await ada.upload(channel.id, '../../evil "name".png', new Uint8Array(PICTURE), true)
  await ada.post('/api/messages', { channelId: channel.id, content: 'with a picture', fileIds: [file.id] })
  await ada.upload(channel.id, 'loose.txt')
  await ada.say(channel.id, 'code:\n```js\nlet a = 1 < 2\n```')
  const gone = await bob.say(channel.id, 'taken back')
  await bob.delete(`/api/messages/${gone.id}`)

  const done = await finished(ada, { scope: 'channel', channelId: channel.id })
  expect(done).toMatchObject({ channel: { name: 'plans <b>' }, messages: 4, total: 4, size: expect.any(Number) })
  const { bytes, headers } = await archive(ada, done)
  expect(headers).toMatchObject({ 'content-type': 'application/zip', 'content-length': String(done.size) })
  const files = await readZip(bytes)
  const manifest = { format: 'parley-export', version: 1, workspace: 'Parley', scope: 'channel' }
  expect(jsonOf(files.get('manifest.json'))).toMatchObject([manifest])
  const messages = jsonOf(files.get(`data/messages/${channel.id}.jsonl`))
  expect(messages).toMatchObject([
    { id: parent.id, content: evil, userId: ada.id, seq: 1, reactions: [{ emoji: '👍', userIds: [bob.id] }] },
    { content: 'I agree', threadId: parent.id, userId: bob.id },
    { content: 'with a picture', files: [{ id: file.id, path: expect.any(String) }] },
    { content: expect.stringContaining('let a') },
    { content: '', deletedAt: expect.any(String) },
  ])
  expect(files.get(messages[2].files[0].path)).toEqual(PICTURE)
  const page = String(files.get(`channels/${channel.id}/1.html`))
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).toContain('I agree')
  expect(page).toContain('<h1>#plans &lt;b&gt;</h1>')
  expect(page).not.toMatch(/<script|<b>|<i>|taken back/)
  expect(String(files.get('index.html'))).toContain(`channels/${channel.id}/1.html`)
  expect([...files.keys()].filter((name) => name.includes('..'))).toEqual([])
  expect(String(files.get(`channels/${channel.id}/files.html`))).toContain('loose.txt')
  const listed = jsonOf(files.get(`data/files/${channel.id}.jsonl`))
  expect(listed.map(({ name, messageId }) => [name, messageId === null])).toEqual([
    [expect.stringContaining('name'), false],
    ['loose.txt', true],
  ])
  expect(page).toContain('<pre>let a = 1 &lt; 2</pre>')
  const part = await archive(ada, done, { range: 'bytes=0-1' })
  expect([part.status, String(part.bytes)]).toEqual([206, 'PK'])
})

test('an export contains what its owner may read, and nothing else', async () => {
  const { body: secret } = await bob.post('/api/channels', { name: 'secret', isPrivate: true, members: [eve.id] })
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [eve.id] })
  const { body: open } = await bob.post('/api/channels', { name: 'open' })
  for (const { id } of [secret, direct]) await bob.say(id, 'quartz between us')
  await bob.say(open.id, 'for everybody')
  const schedule = { days: [1, 2], from: '09:00', to: '18:00', timeZone: 'Europe/Berlin' }
  for (const by of [bob, eve]) {
    await by.patch('/api/users/me/card', { values: { title: 'Captain' } })
    await by.patch('/api/notification-settings', { schedule })
    await by.patch('/api/notification-settings/keywords', { add: [`for ${by.username}`] })
    await by.post('/api/later', { text: `${by.username} calls the supplier` })
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    await by.post('/api/scheduled-messages', { channelId: secret.id, content: `by ${by.username}`, sendAt })
  }
  const mine = await readZip((await archive(eve, await finished(eve, { scope: 'mine' }))).bytes)
  expect(jsonOf(mine.get('data/my-later.jsonl'))).toMatchObject([{ text: 'eve calls the supplier', doneAt: null }])
  expect(jsonOf(mine.get('data/my-scheduled-messages.jsonl'))).toMatchObject([{ content: 'by eve' }])
  expect(String(mine.get(`data/messages/${secret.id}.jsonl`))).toContain('quartz')
  expect(String(mine.get(`data/messages/${direct.id}.jsonl`))).toContain('quartz')
  // Not a member: it is public, but not hers.
  expect(mine.get(`data/messages/${open.id}.jsonl`)).toBeUndefined()
  const people = jsonOf(mine.get('data/people.jsonl'))
  expect(people.find(({ id }) => id === eve.id)).toMatchObject({
    email: eve.email,
    profile: { title: 'Captain' },
    notificationSchedule: schedule,
    keywords: ['for eve'],
  })
  const other = people.find(({ id }) => id === bob.id)
  for (const own of ['email', 'profile', 'notificationSchedule', 'keywords']) expect(other).not.toHaveProperty(own)
  expect(String(mine.get('data/people.jsonl'))).not.toContain('for bob')

  const all = await readZip((await archive(olga, await finished(olga, { scope: 'workspace' }))).bytes)
  expect(String(all.get(`data/messages/${open.id}.jsonl`))).toContain('for everybody')
  for (const [path, content] of all)
    for (const hidden of ['quartz', secret.id, direct.id]) expect(path + content, path).not.toContain(hidden)
})

test('an export contains one’s own messages in a conversation one has left, but not those of others', async () => {
  const { body: left } = await ada.post('/api/channels', { name: 'left', isPrivate: true, members: [bob.id] })
  await ada.say(left.id, 'ada stays')
  await bob.say(left.id, 'bob was here')
  const { body: seen } = await bob.get(`/api/messages/channel/${left.id}`)
  const own = seen.find(({ userId }: { userId: string }) => userId === bob.id)
  await bob.post(`/api/channels/${left.id}/leave`)
  await ada.post(`/api/messages/${own.id}/reactions`, { emoji: '🦉' })
  const files = await readZip((await archive(bob, await finished(bob, { scope: 'mine' }))).bytes)
  const everything = [...files].map(([path, content]) => path + content).join('\n')
  expect(everything).toContain('bob was here')
  expect(everything).not.toContain('ada stays')
  // Nor people who joined since.
  expect(everything).not.toContain('🦉')
})

test('an edited message is exported with its earlier texts, unless the workspace shows none', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'rewritten' })
  const message = await ada.say(channel.id, 'a frist')
  const edited = await ada.put(`/api/messages/${message.id}`, { content: 'a first' })
  await ada.put(`/api/messages/${message.id}`, { content: 'a second' })
  const gone = await ada.say(channel.id, 'quartz')
  await ada.put(`/api/messages/${gone.id}`, { content: 'changed' })
  await ada.delete(`/api/messages/${gone.id}`)
  const earlier = [
    { content: 'a frist', writtenAt: message.createdAt },
    { content: 'a first', writtenAt: edited.body.editedAt },
  ]
  const exported = async (scope: object, path: string) =>
    jsonOf((await readZip((await archive(ada, await finished(ada, scope))).bytes)).get(path))
  const ofChannel = () => exported({ scope: 'channel', channelId: channel.id }, `data/messages/${channel.id}.jsonl`)
  const [withTexts, deleted] = await ofChannel()
  expect(withTexts).toMatchObject({ content: 'a second', earlier })
  expect(deleted).toMatchObject({ content: '', deletedAt: expect.any(String) })
  expect(deleted).not.toHaveProperty('earlier')
  const own = await exported({ scope: 'mine' }, 'data/my-messages.jsonl')
  expect(own.find(({ id }) => id === message.id)).toMatchObject({ earlier })
  await olga.put('/api/workspace/edit-history', { isOn: false })
  for (const line of await ofChannel()) expect(line).not.toHaveProperty('earlier')
  await olga.put('/api/workspace/edit-history', { isOn: true })
})

test('nobody sees, downloads or deletes somebody else’s export, not even the owner', async () => {
  const done = await newest(ada)
  for (const other of [olga, bob, eve]) {
    expect((await other.get('/api/exports')).body.map(({ id }: Export) => id)).not.toContain(done.id)
    expect((await archive(other, done)).status).toBe(404)
    expect((await other.delete(`/api/exports/${done.id}`)).status).toBe(404)
  }
  const { body: general } = await ada.get('/api/channels')
  const refused = [
    await ada.post('/api/exports', { scope: 'workspace' }),
    await ada.post('/api/exports', { scope: 'channel', channelId: general.channels[0].id }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403])
  expect((await ada.post('/api/exports', { scope: 'channel' })).status).toBe(400)
  expect((await archive(ada, done)).status).toBe(200)
  expect((await ada.delete(`/api/exports/${done.id}`)).status).toBe(204)
  expect((await archive(ada, done)).status).toBe(404)
})

test('exports run one at a time, the last few are kept, and they expire with their bytes', async () => {
  const dan = await parley.person('dan')
  const answers = await Promise.all([1, 2, 3].map(() => dan.post('/api/exports', { scope: 'mine' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  expect(answers.find(({ status }) => status === 409)).toMatchObject({ code: 'export_running' })
  for (let n = 0; n < 4; n++) {
    await expect.poll(async () => (await newest(dan)).state, { timeout: STATE_TIMEOUT_MS }).toBe('done')
    if (n < 3) await dan.post('/api/exports', { scope: 'mine' })
  }
  const { body: kept } = await dan.get('/api/exports')
  expect(kept).toHaveLength(3)
  const rows = await db.selectFrom('exports').selectAll().where('userId', '=', dan.id).execute()
  await db.updateTable('exports').set({ expiresAt: '2020-01-01' }).where('userId', '=', dan.id).execute()
  parley.app.exporting.wake()
  await expect.poll(async () => (await dan.get('/api/exports')).body, { timeout: STATE_TIMEOUT_MS }).toEqual([])
  for (const { archiveId, size } of rows)
    expect(await storage.read(archiveKeyOf(String(archiveId)), Number(size))).toBeUndefined()
})

test('an export whose node died is completed by another one, and can be downloaded there', async () => {
  const fay = await parley.person('fay')
  // As left behind by a node that was killed.
  await sql`insert into exports (id, "userId", scope, state, "archiveId", attempts, "touchedAt")
    values ('0199a1de-0000-7000-8000-00000000f001', ${fay.id}, 'mine', 'running',
      '0199a1de-0000-7000-8000-00000000f002', 1, now() - interval '1 minute')`.execute(db)
  const other = await serve(parley.databaseUrl)
  other.app.exporting.wake()
  await expect.poll(async () => (await newest(fay)).state, { timeout: STATE_TIMEOUT_MS }).toBe('done')
  const answer = await other.app.inject({
    url: '/api/exports/0199a1de-0000-7000-8000-00000000f001/archive',
    headers: { authorization: `Bearer ${fay.token}` },
  })
  expect((await readZip(answer.rawPayload)).has('index.html')).toBe(true)

  // One that fails repeatedly is given up.
  await db
    .updateTable('exports')
    .set({ state: 'running', attempts: 3, touchedAt: '2020-01-01' })
    .where('userId', '=', fay.id)
    .execute()
  other.app.exporting.wake()
  await expect.poll(async () => (await newest(fay)).state, { timeout: STATE_TIMEOUT_MS }).toBe('failed')
})

test('a person removed from a channel can no longer download its archive', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'handed-over', isPrivate: true, members: [bob.id] })
  const done = await finished(ada, { scope: 'channel', channelId: channel.id })
  expect((await ada.patch(`/api/channels/${channel.id}`, { ownerId: bob.id })).status).toBe(200)
  expect((await archive(ada, done)).status).toBe(200)
  expect((await ada.post(`/api/channels/${channel.id}/leave`)).status).toBeLessThan(300)
  expect((await archive(ada, done)).status).toBe(404)
  // Nor once the channel is deleted, with its memberships. Its last members keep their archives.
  const last = await finished(bob, { scope: 'channel', channelId: channel.id })
  expect((await bob.delete(`/api/channels/${channel.id}`)).status).toBeLessThan(300)
  while (await purgeOnce(db, 0));
  expect((await db.selectFrom('channels').select('id').where('id', '=', channel.id).execute()).length).toBe(0)
  expect((await archive(ada, done)).status).toBe(404)
  expect((await archive(bob, last)).status).toBe(200)
})

test('a channel whose old messages were removed has no empty pages, and many messages are split into pages', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'long' })
  await sql`insert into messages (id, "channelId", "userId", content, seq, rev)
    select gen_random_uuid(), ${channel.id}, ${ada.id}, 'message ' || n || '.', n, n from generate_series(9001, 9501) n
  `.execute(db)
  await sql`update channels set seq = 9501, rev = 9502 where id = ${channel.id}`.execute(db)
  const files = await readZip(
    (await archive(ada, await finished(ada, { scope: 'channel', channelId: channel.id }))).bytes,
  )
  const pages = [...files.keys()].filter((path) => /\/\d+\.html$/.test(path))
  expect(pages).toEqual([1, 2].map((page) => `channels/${channel.id}/${page}.html`))
  const [first, second] = pages.map((path) => String(files.get(path)))
  for (const n of [9001, 9500]) expect(first).toContain(`message ${n}.`)
  expect(first).not.toContain('message 9501.')
  expect(second?.match(/message \d+\./g)).toEqual(['message 9501.'])
  expect(String(files.get('index.html'))).toContain('messages: 501')
})

test('each downloaded part of an archive is in the audit log', async () => {
  const done = await newest(ada)
  const lines = async () =>
    (await olga.get('/api/audit?kind=export_downloaded&limit=100')).body.entries.filter(
      ({ actor }: { actor: Person }) => actor.id === ada.id,
    ).length
  const before = await lines()
  await archive(ada, done, { range: 'bytes=0-' })
  expect(await lines()).toBe(before + 1)
})

test('exports are in the audit log', async () => {
  const { body } = await olga.get('/api/audit?topic=data&limit=100')
  const kinds = body.entries.map(({ kind }: { kind: string }) => kind)
  for (const kind of ['export_started', 'export_downloaded', 'export_deleted']) expect(kinds).toContain(kind)
})
