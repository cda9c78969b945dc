import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { startParley } from '../test/support/parley.ts'

test.each([
  ['has the wrong type', { files: '7', mentions: '"x"', reactions: '{}' }],
  ['is missing', { files: 'null', mentions: 'null', reactions: 'null' }],
  ['lacks required fields', { files: '[{"id":1}]', mentions: '[{}]', reactions: '[{"emoji":"🎉"}]' }],
  [
    'comes from a later version',
    { files: '[["v2"]]', mentions: '[{"groupId":"x"}]', reactions: '[{"emoji":{"id":"x"}}]' },
  ],
])('a message row with a column that %s is shown without it, and its channel still loads', async (_, columns) => {
  const { app, person } = await startParley()
  const ada = await person('ada')
  const bob = await person('bob')
  const { id: channelId } = (await ada.get('/api/channels')).body.channels[0]
  await ada.say(channelId, 'before')
  const odd = await ada.say(channelId, 'an odd one')
  const { body: file } = await ada.upload(channelId, 'notes.txt', 'notes', true)
  const { body: bare } = await ada.post('/api/messages', { channelId, content: '', fileIds: [file.id] })
  await ada.say(channelId, 'after')
  for (const { id } of [odd, bare])
    await app.pool.query('update messages set files = $2, mentions = $3, reactions = $4, previews = $5 where id = $1', [
      id,
      columns.files,
      columns.mentions,
      columns.reactions,
      '[{"url":7}]',
    ])
  const shown = [
    { content: 'before' },
    { id: odd.id, content: 'an odd one', files: [], mentions: [], reactions: {}, reactionCounts: {} },
    { id: bare.id, content: "A part of this message can't be shown", files: [] },
    { content: 'after' },
  ]
  const page = await bob.get(`/api/messages/channel/${channelId}`)
  expect(page.status).toBe(200)
  expect(page.body.slice(-4)).toMatchObject(shown)
  const changes = await bob.get(`/api/channels/${channelId}/changes?after=0`)
  expect(changes.body.messages.slice(-4).map((message: Message) => message.content)).toEqual(
    shown.map((message) => message.content),
  )
  // Its author can still delete it.
  expect((await ada.delete(`/api/messages/${odd.id}`)).status).toBe(204)
  expect((await bob.get(`/api/messages/channel/${channelId}`)).body.at(-3)).toMatchObject({ id: odd.id, content: '' })
})
