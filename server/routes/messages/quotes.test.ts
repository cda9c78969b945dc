import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { joinQuotes, quoteOf } from '#contract/quotes'
import { type Person, startParley } from '../../test/support/parley.ts'
import { contents } from '../../test/support/search.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

let made = 0
/** A channel of Ada's with Bob, but not Eve. */
async function newChannel({ isPrivate = true } = {}): Promise<string> {
  const { body } = await ada.post('/api/channels', { name: `quotes-${made++}`, isPrivate, members: [bob.id] })
  return body.id
}
const read = async (person: Person, ...messages: { id: string }[]) => {
  const { status, body } = await person.post('/api/messages/read', { messageIds: messages.map(({ id }) => id) })
  expect(status).toBe(200)
  return body as Message[]
}
const textsOf = async (person: Person, ...messages: { id: string }[]) =>
  (await read(person, ...messages)).map(({ content }) => content).sort()

test('messages and replies are read by their ids, from several conversations at once, as they are now', async () => {
  const [first, second] = [await newChannel(), await newChannel()]
  const plan = await ada.say(first, 'the plan')
  const answer = await bob.say(second, 'the answer')
  const { body: reply } = await bob.post('/api/threads/messages', { parentMessageId: plan.id, content: 'a reply' })
  expect(await textsOf(bob, plan, reply, answer)).toEqual(['a reply', 'the answer', 'the plan'])

  await ada.put(`/api/messages/${plan.id}`, { content: 'the new plan' })
  await bob.delete(`/api/messages/${answer.id}`)
  expect(await textsOf(bob, plan, answer)).toEqual(['', 'the new plan'])
  const [tombstone] = await read(ada, answer)
  expect(tombstone).toMatchObject({ id: answer.id, content: '', deletedAt: expect.any(String) })
})

test('what a person cannot read is left out, like what does not exist', async () => {
  const [secret, open] = [await newChannel(), await newChannel({ isPrivate: false })]
  const hidden = await ada.say(secret, 'hidden')
  const shown = await ada.say(open, 'shown')
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  const told = await ada.say(direct.id, 'told')
  const { body: reply } = await ada.post('/api/threads/messages', { parentMessageId: hidden.id, content: 'deep' })
  expect(await textsOf(eve, hidden, shown, told, reply, { id: uuid() })).toEqual(['shown'])
  expect(await textsOf(bob, hidden, shown, told, reply)).toEqual(['deep', 'hidden', 'shown', 'told'])

  await ada.post(`/api/channels/${secret}/remove-member`, { userId: bob.id })
  expect(await textsOf(bob, hidden, reply)).toEqual([])
})

test('a call is bounded, and refuses what is no id', async () => {
  const many = Array.from({ length: limits.messagesById + 1 }, () => uuid())
  expect((await ada.post('/api/messages/read', { messageIds: many })).status).toBe(400)
  expect((await ada.post('/api/messages/read', { messageIds: ['plan'] })).status).toBe(400)
  expect((await ada.post('/api/messages/read', { messageIds: [] })).body).toEqual([])
})

test('a quote is not found by its label or its address, and what its author wrote is', async () => {
  const channelId = await newChannel()
  const original = await ada.say(channelId, 'the xylophone plan')
  const quote = quoteOf({ channelId, messageId: original.id }, 'Quotation zither')
  const place = { parentMessageId: original.id }
  await bob.say(channelId, joinQuotes([quote], 'agreed marimba'))
  await bob.post('/api/threads/messages', { ...place, content: joinQuotes([quote], 'replied marimba') })
  const edited = await bob.say(channelId, 'marimba')
  await bob.put(`/api/messages/${edited.id}`, { content: joinQuotes([quote], 'edited marimba') })
  expect(await contents(ada, 'xylophone')).toEqual(['the xylophone plan'])
  for (const sought of ['zither', 'quotation', original.id]) expect(await contents(ada, sought)).toEqual([])
  expect(await contents(ada, 'marimba')).toEqual(['edited marimba', 'replied marimba', 'agreed marimba'])
})

test('the label of a quote, which nobody sees, mentions nobody', async () => {
  const channelId = await newChannel()
  const original = await ada.say(channelId, 'the plan')
  const quoteWith = (label: string) => quoteOf({ channelId, messageId: original.id }, label)
  const sent = await ada.say(channelId, joinQuotes([quoteWith('@channel'), quoteWith(`@${bob.username}`)], 'hi'))
  expect(sent).toMatchObject({ broadcast: null, mentions: [] })
  expect(await ada.say(channelId, joinQuotes([quoteWith('x')], '@channel hi'))).toMatchObject({ broadcast: 'channel' })
})
