import { expect, test } from 'vitest'
import { PENDING_CONTENT } from '#contract/assistant'
import type { Message } from '#contract/messages'
import { type Person, startParley } from '../../test/support/parley.ts'

// What the assistant reveals if guests can read it, and which questions it ignores.

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')
const { body: open } = await ada.post('/api/channels', { name: 'open', members: [bob.id] })
const { body: shared } = await ada.post('/api/channels', { name: 'shared', members: [bob.id] })
await bob.say(open.id, 'the yttrium release is on Monday')
await bob.say(shared.id, 'the zirconium release is on Friday')

/** The complete answer to a question in a channel. */
async function answerTo(person: Person, { id }: Message) {
  const find = async () =>
    ((await person.get(`/api/threads/${id}/messages`)).body as Message[]).find(
      ({ clientId, content }) => clientId === `answer ${id}` && content !== PENDING_CONTENT,
    )
  await expect.poll(find).toBeTruthy()
  return ((await find()) as Message).content
}
const ask = (person: Person, channelId: string, about: string) => person.say(channelId, `@assistant-bot ${about}`)

test('an answer that a guest can read uses only that conversation, whoever asks', async () => {
  expect(await answerTo(bob, await ask(bob, shared.id, 'yttrium'))).toContain('yttrium')
  const { body: invite } = await ada.post('/api/invites', { guests: { channelIds: [shared.id], days: 30 } })
  const gil = await parley.person('gil', invite.code)
  for (const person of [bob, gil]) {
    expect(await answerTo(person, await ask(person, shared.id, 'yttrium release Monday'))).not.toMatch(/yttrium|open/)
    expect(await answerTo(person, await ask(person, shared.id, 'zirconium'))).toContain('zirconium')
  }
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [gil.id, 'assistant-bot'] })
  expect(await answerTo(bob, await ask(bob, direct.id, 'yttrium release'))).not.toMatch(/yttrium|open/)
})

test('a question from before archiving is not answered in the archive', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'archive' })
  const mention = { userId: 'assistant-bot', username: 'assistant-bot' }
  const mentions = { mentions: [mention], broadcast: null, audience: null, groups: [], byKeyword: [] }
  // As if the node had died before passing the question on.
  const question = {
    channelId: channel.id,
    userId: ada.id,
    content: '@assistant-bot hello',
    clientId: 'lost',
    mentions,
  }
  const { message } = await parley.app.writer.send(question)
  await ada.put(`/api/channels/${channel.id}/archive`, {})
  expect((await ada.post('/api/messages', { ...question, mentions: undefined })).status).toBe(200)
  // A later question of the same person is considered after it.
  const { body: other } = await ada.post('/api/channels', { name: 'not archived' })
  await answerTo(ada, await ask(ada, other.id, 'hello'))
  expect((await ada.get(`/api/threads/${message.id}/messages`)).body).toHaveLength(1)
})
