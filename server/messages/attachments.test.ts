import { beforeAll, expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { PICTURE } from '../test/support/fixture.ts'
import { startParley } from '../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
let channelId: string

beforeAll(async () => {
  channelId = (await ada.post('/api/channels', { name: 'kitchen', isPrivate: true, members: [bob.id] })).body.id
})

const attach = async (name: string, bytes: string | Uint8Array<ArrayBuffer> = name, person = ada) =>
  (await person.upload(channelId, name, bytes, true)).body
const send = (fields: object, person = ada) => person.post('/api/messages', { channelId, content: '', ...fields })
const page = async (person = bob): Promise<Message[]> => (await person.get(`/api/messages/channel/${channelId}`)).body

test('files are published with their message, in order, and are invisible before', async () => {
  const listener = await bob.listen()
  const picture = await attach('dot.png', new Uint8Array(PICTURE))
  const plan = await attach('plan.txt')
  for (const { id, url } of [picture, plan]) {
    expect((await bob.get(url)).status).toBe(404)
    expect((await bob.delete(`/api/files/${id}`)).status).toBe(404)
    expect((await bob.get(`/api/files/channel/${channelId}`)).body).toEqual([])
    expect((await bob.get('/api/files')).body).toEqual([])
  }
  const { status, body } = await send({ fileIds: [plan.id, picture.id] })
  expect(status).toBe(201)
  const files = [
    { ...plan, messageId: body.id },
    { ...picture, messageId: body.id, width: 1, height: 1, thumbnailUrl: `/api/thumbnails/${picture.id}` },
  ]
  expect(body).toMatchObject({ content: '', files })
  expect(await listener.waitFor('message:created', ({ id }) => id === body.id)).toEqual(body)
  expect((await page()).at(-1)).toEqual(body)
  expect((await bob.get(`/api/channels/${channelId}/changes?after=${body.rev - 1}`)).body.messages).toEqual([body])
  expect((await bob.get(`/api/files/channel/${channelId}`)).body).toEqual(files)
  expect((await bob.get(`/api/files/user/${ada.id}`)).body).toEqual(files)
  expect((await eve.get(`/api/files/user/${ada.id}`)).body).toEqual([])
})

test('a reply carries files, through either endpoint', async () => {
  const parent = await ada.say(channelId, 'parent')
  const listener = await bob.listen()
  const one = await attach('one.txt')
  const replied = await ada.post('/api/threads/messages', {
    parentMessageId: parent.id,
    content: 'see',
    fileIds: [one.id],
  })
  expect(replied).toMatchObject({ status: 201, body: { files: [{ id: one.id, messageId: replied.body.id }] } })
  expect(await listener.waitFor('thread:message_created')).toMatchObject({ files: replied.body.files })
  const two = await attach('two.txt')
  expect((await send({ threadId: parent.id, fileIds: [two.id] })).body.files).toMatchObject([{ id: two.id }])
  const { body: thread } = await bob.get(`/api/threads/${parent.id}/messages`)
  expect(thread.map((message: Message) => message.files.map(({ name }) => name))).toEqual([
    [],
    ['one.txt'],
    ['two.txt'],
  ])
})

test('a repeated key returns the same message and files, concurrently and later', async () => {
  const file = await attach('once.txt')
  const again = { clientId: 'temp-files', fileIds: [file.id] }
  const answers = await Promise.all([send(again), send(again), send(again)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await send({ ...again, content: 'other' })).toMatchObject({ status: 200, body: { files: [{ id: file.id }] } })
  const { body: elsewhere } = await ada.post('/api/channels', { name: 'elsewhere' })
  expect(await send({ ...again, channelId: elsewhere.id })).toMatchObject({ code: 'client_id_reused' })
})

test('a refused message is not stored, and its files can still be sent', async () => {
  const before = (await page()).length
  const mine = await attach('mine.txt')
  const bobs = await attach('bobs.txt', 'x', bob)
  const { body: garden } = await ada.post('/api/channels', { name: 'garden' })
  const { body: there } = await ada.upload(garden.id, 'there.txt', 'x', true)
  const sent = await attach('sent.txt')
  await send({ fileIds: [sent.id] })
  const unknown = '01900000-0000-7000-8000-000000000000'
  for (const [id, status, code] of [
    [bobs.id, 400, 'no_such_file'],
    [there.id, 400, 'no_such_file'],
    [unknown, 400, 'no_such_file'],
    [sent.id, 409, 'file_attached'],
  ])
    expect(await send({ content: 'with', fileIds: [mine.id, id] })).toMatchObject({ status, code })
  const many = Array.from({ length: 11 }, (_, i) => `${unknown.slice(0, -2)}${i + 10}`)
  for (const fileIds of [many, [mine.id, mine.id], ['x'], 'x', [null]])
    expect(await send({ content: 'with', fileIds })).toMatchObject({ status: 400, code: 'invalid' })
  for (const nothing of [{}, { fileIds: [] }, { content: '   ' }])
    expect(await send(nothing)).toMatchObject({
      status: 400,
      body: { error: { fields: { content: 'must not be empty' } } },
    })
  expect((await page()).length).toBe(before + 1)
  expect((await send({ fileIds: [mine.id] })).status).toBe(201)
})

test('a file sent in several messages concurrently ends up in one of them', async () => {
  const file = await attach('race.txt')
  const answers = await Promise.all(Array.from({ length: 6 }, () => send({ fileIds: [file.id] })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
})

test('a member removed during an upload cannot send its files', async () => {
  const cyd = await parley.person('cyd')
  await ada.post(`/api/channels/${channelId}/invite`, { userId: cyd.id })
  const file = await attach('late.txt', 'x', cyd)
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: cyd.id })
  expect(await send({ fileIds: [file.id] }, cyd)).toMatchObject({ status: 404 })
  expect((await cyd.get(file.url)).status).toBe(404)
  expect((await cyd.upload(channelId, 'x')).status).toBe(404)
})

test('only a message with files may be edited to have no text', async () => {
  const { body } = await send({ content: 'look', fileIds: [(await attach('a.txt')).id] })
  const edited = await ada.put(`/api/messages/${body.id}`, { content: '' })
  expect(edited).toMatchObject({ status: 200, body: { content: '', files: body.files } })
  const { id } = await ada.say(channelId, 'only words')
  expect(await ada.put(`/api/messages/${id}`, { content: ' ' })).toMatchObject({ status: 400, code: 'invalid' })
})

test('deleting a file removes it from its message for everybody immediately', async () => {
  const listener = await bob.listen()
  const [a, b] = [await attach('a.txt'), await attach('b.txt')]
  const { body } = await send({ fileIds: [a.id, b.id] })
  expect(await bob.delete(`/api/files/${a.id}`)).toMatchObject({ status: 403, code: 'forbidden' })
  expect((await ada.delete(`/api/files/${a.id}`)).status).toBe(204)
  const event = await listener.waitFor('message:updated', ({ id }) => id === body.id)
  expect(event.files.map(({ id }) => id)).toEqual([b.id])
  expect(event.rev).toBeGreaterThan(body.rev)
  expect((await page()).at(-1)).toEqual(event)
  expect((await bob.get(a.url)).status).toBe(404)
  expect((await ada.delete(`/api/files/${a.id}`)).status).toBe(404)
})
