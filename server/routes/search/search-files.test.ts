import { expect, test } from 'vitest'
import { startParley } from '../../test/support/parley.ts'
import { contents, find, indexAll } from '../../test/support/search.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
let made = 0

async function newChannel(): Promise<string> {
  const body = { name: `files-${made++}`, isPrivate: true, members: [bob.id] }
  return (await ada.post('/api/channels', body)).body.id
}

test('a file is found by any part of its name, by readers of its channel', async () => {
  const channelId = await newChannel()
  const { body: file } = await bob.upload(channelId, 'Résumé of PAY-1042 (final)_v2.txt')
  for (const q of ['resume', 'RÉSUMÉ', 'pay-10', '(final)_v2', '.txt', '"of pay"', 'v2 resume', 'from:bob resume'])
    expect(await find(ada, q), q).toMatchObject([{ id: file.id }])
  for (const q of ['resumes', 'PAY1042', 'final%v2', 'resume has:link', 'resume has:reaction', 'from:ada resume'])
    expect(await find(ada, q), q).toEqual([])
  expect(await find(eve, 'resume')).toEqual([])
  expect(await find(ada, 'resume', { type: 'message' })).toEqual([])
  expect(await find(ada, 'resume', { type: 'file', channelId })).toEqual([
    {
      id: file.id,
      type: 'file',
      location: 'Files',
      content: 'Résumé of PAY-1042 (final)_v2.txt',
      metadata: {
        channelId,
        messageId: null,
        timestamp: file.createdAt,
        author: { id: bob.id, username: 'bob', name: 'Bob' },
        fileUrl: file.url,
        fileType: file.type,
        fileSize: file.size,
        matches: [[0, 6]],
      },
    },
  ])
})

test('a file in the public bucket is found by everyone', async () => {
  const { body: file } = await ada.upload(undefined, 'handbook of axolotls.txt')
  expect(await find(eve, 'axolotl')).toMatchObject([{ id: file.id, location: 'Files' }])
})

test('a file is found only once its message is sent, by its readers; so is the message’s text', async () => {
  const channelId = await newChannel()
  const { body: file } = await bob.upload(channelId, 'wombat-plan.txt', undefined, true)
  for (const person of [ada, bob]) expect(await find(person, 'wombat')).toEqual([])
  const sent = await bob.post('/api/messages', { channelId, content: 'the wombat itself', fileIds: [file.id] })
  expect(await contents(ada, 'wombat')).toEqual(['the wombat itself', 'wombat-plan.txt'])
  expect(await find(ada, 'wombat', { limit: '1' })).toHaveLength(1)
  expect(await find(ada, 'wombat', { cursor: sent.body.id })).toMatchObject([{ type: 'file' }])
  await bob.say(channelId, 'a wombat alone')
  for (const indexed of [false, true]) {
    if (indexed) await indexAll(parley.app.db)
    expect(await contents(ada, 'wombat has:file', { type: 'message' })).toEqual(['the wombat itself'])
    expect(await contents(ada, 'has:file', { channelId })).toEqual(['the wombat itself', 'wombat-plan.txt'])
  }
  await bob.delete(`/api/messages/${sent.body.id}`)
  expect(await contents(ada, 'wombat')).toEqual(['a wombat alone'])
})

test('a reply with a file is found, and a deleted file is not', async () => {
  const channelId = await newChannel()
  const { id } = await ada.say(channelId, 'parent')
  const { body: file } = await bob.upload(channelId, 'quagga.txt', undefined, true)
  await bob.post('/api/threads/messages', { parentMessageId: id, content: 'quagga seen', fileIds: [file.id] })
  expect(await contents(ada, 'quagga')).toEqual(['quagga seen', 'quagga.txt'])
  await bob.delete(`/api/files/${file.id}`)
  expect(await contents(ada, 'quagga')).toEqual(['quagga seen'])
  expect(await contents(ada, 'quagga has:file')).toEqual([])
})

test('files of a deleted channel are not found', async () => {
  const channelId = await newChannel()
  await bob.upload(channelId, 'thylacine.txt')
  expect(await find(bob, 'thylacine')).toHaveLength(1)
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })
  expect(await find(bob, 'thylacine')).toEqual([])
  await ada.delete(`/api/channels/${channelId}`)
  expect(await find(ada, 'thylacine')).toEqual([])
})
