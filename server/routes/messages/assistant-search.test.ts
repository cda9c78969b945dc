import { expect, test } from 'vitest'
import { PENDING_CONTENT } from '#contract/assistant'
import type { Message } from '#contract/messages'
import { type Person, startParley } from '../../test/support/parley.ts'

// The answers of the assistant without a model. Ada and Bob share the private channel #design; Eve is not in it.

const parley = await startParley({ ASSISTANT_QUOTA: '100' })
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
await bob.patch('/api/users/me', { name: 'Bob Kahn' })
const channel = async (name: string, isPrivate = false) =>
  (await ada.post('/api/channels', { name, isPrivate, members: [bob.id] })).body.id as string
const [design, team, lunch] = [await channel('design', true), await channel('design-team'), await channel('lunch')]
await bob.say(design, 'We decided on zircon for the gangway')
await bob.say(team, 'The gangway team decided to meet')
await bob.say(lunch, 'Lunch on the gangway is decided')
const talks = new Map<Person, string>()
for (const person of [ada, eve])
  talks.set(person, (await person.post('/api/direct-messages', { userIds: ['assistant-bot'] })).body.id)

async function ask(person: Person, content: string, channelId = talks.get(person) ?? '') {
  const question = await person.say(channelId, content)
  const read = async () => [
    ...(await person.get(`/api/messages/channel/${channelId}`)).body,
    ...(await person.get(`/api/threads/${question.id}/messages`)).body,
  ]
  const find = async () =>
    (await read()).find(
      (it: Message) => it.clientId === `answer ${question.id}` && ![PENDING_CONTENT, ''].includes(it.content),
    ) as Message | undefined
  await expect.poll(find).toBeTruthy()
  return (await find())?.content ?? ''
}

test('it searches only in the channel that the question names', async () => {
  const answer = await ask(ada, 'What was decided in #design about the gangway?')
  expect(answer).toContain('zircon')
  expect(answer).not.toMatch(/team|Lunch/)
  const ofTeam = await ask(ada, 'What was decided in #Design-Team about the gangway?')
  expect(ofTeam).toContain('team decided to meet')
  expect(ofTeam).not.toMatch(/zircon|Lunch/)
  expect(await ask(ada, 'gangway in #design, or in #lunch')).toMatch(/Lunch[\s\S]*zircon/)
  expect((await ask(ada, 'gangway')).match(/^- /gm)).toHaveLength(3)
})

test('a channel that the asker cannot read is not searched, and looks like one that does not exist', async () => {
  const answer = await ask(eve, 'What was decided in #design about the gangway?')
  expect(answer).not.toContain('zircon')
  expect(answer).not.toContain(design)
  expect(answer).toMatch(/team decided to meet/)
  const other = (name: string) => ask(eve, `gangway in #${name}`)
  expect(await other('design')).toBe(await other('nothing'))
})

test('in a channel with others, a private channel that the question names stays private', async () => {
  await ada.post(`/api/channels/${lunch}/invite`, { userId: eve.id })
  const answer = await ask(ada, '@assistant-bot what was decided in #design about the gangway?', lunch)
  expect(answer).not.toContain('zircon')
  expect(answer).toContain('Lunch on the gangway')
})

test('people have their names, days their weekday, and the words of the suggestion are not searched for', async () => {
  const day = new Intl.DateTimeFormat('en', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
  await bob.say(lunch, 'Find me some messages')
  const answer = await ask(ada, 'Find messages about zircon')
  expect(answer).toContain(`I can't write answers here yet. Closest messages:\n\n- [Bob Kahn in \\#design, `)
  expect(answer).toContain(day.format(new Date()))
  expect(answer).not.toMatch(/bob\b|Find me/)
  // Someone else with the same name is told apart.
  await eve.patch('/api/users/me', { name: 'Bob Kahn' })
  await eve.say(lunch, 'citrine for all')
  expect(await ask(ada, 'citrine')).toContain('[Bob Kahn \\(@eve\\) in \\#lunch, ')
  const direct = (await ada.post('/api/direct-messages', { userIds: [bob.id] })).body.id
  await bob.say(direct, 'the tourmaline is late')
  expect(await ask(ada, 'tourmaline')).toContain('[Bob Kahn in Bob Kahn, ')
  expect(await ask(ada, 'nothing-like-it')).toBe("I can't write answers here yet, and I found no message that fits.")
})

test('the answer is in the language of the asker', async () => {
  await ada.patch('/api/users/me', { language: 'de-AT' })
  const day = new Intl.DateTimeFormat('de', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
  const answer = await ask(ada, 'Finde Nachrichten zu zircon in #design')
  expect(answer).toMatch(
    /^Ich kann hier noch keine Antworten schreiben\. Die passendsten Nachrichten:\n\n- \[Bob Kahn in/,
  )
  expect(answer).toContain(day.format(new Date()))
})
