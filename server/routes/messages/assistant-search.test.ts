import { expect, test } from 'vitest'
import { answerTo, ask as askIn, talkOf } from '../../test/support/answers.ts'
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
for (const person of [ada, eve]) talks.set(person, await talkOf(person))

const ask = (person: Person, content: string, channelId = talks.get(person) ?? '') => askIn(person, channelId, content)

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

test('without a chosen language, the answer is in the one that the browser asks for', async () => {
  const channelId = talks.get(eve) ?? ''
  const send = async ({ token }: Person, url: string, payload: object, language: string) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-language': language }
    return (await parley.app.inject({ method: 'POST', url, payload, headers })).json()
  }
  const askWith = async (person: Person, language: string) => {
    const message = { channelId: talks.get(person), content: 'nothing-like-it' }
    return (await answerTo(person, await send(person, '/api/messages', message, language))).content
  }
  expect(await askWith(eve, 'pt, de-AT;q=0.8, fr;q=0.5')).toMatch(/^Ich kann hier/)
  expect(await askWith(eve, 'pt')).toMatch(/^I can't write/)
  const parent = await eve.say(channelId, 'nothing-like-it')
  const reply = { parentMessageId: parent.id, content: 'nothing-like-it' }
  await send(eve, '/api/threads/messages', reply, 'fr')
  const replies = async () => (await eve.get(`/api/threads/${parent.id}/messages`)).body
  await expect.poll(replies).toContainEqual(expect.objectContaining({ content: expect.stringMatching(/^Je ne peux/) }))
  await ada.patch('/api/users/me', { language: 'en' })
  expect(await askWith(ada, 'de')).toMatch(/^I can't write/)
})

test('a topic of two letters is found as a word', async () => {
  await bob.say(lunch, 'QA starts on Monday')
  await bob.say(lunch, 'How do I find messages about lunch')
  await bob.say(lunch, 'The aquarium is open')
  for (const question of [
    'Find messages about QA in #lunch',
    'find messages about qa in #lunch',
    'When does QA start?',
    'qa in #lunch',
    'QA',
  ])
    expect(await ask(ada, question), question).toMatch(/messages:\n\n- .*: QA starts on Monday$/)
})

test('a topic may be a word of the suggested questions', async () => {
  await bob.say(lunch, 'Le rendez-vous sur la place')
  await bob.say(lunch, 'Les messages dans la boîte')
  const answer = await ask(ada, 'Trouve les messages sur sur dans #lunch')
  expect(answer).toContain('la place')
  expect(answer).not.toContain('la boîte')
})

test('a channel is named although the rest of a word follows', async () => {
  const lunchKanal = 'gangway in the #lunch-Kanal'
  for (const question of [
    lunchKanal,
    '#lunchでgangwayについてのメッセージを探す',
    'gangwayは、#lunchで',
    "gangway (#lunch's)",
    'ابحث عن رسائل حول \u2068gangway\u2069 في \u2068#lunch\u2069',
  ]) {
    const answer = await ask(ada, question)
    expect(answer, question).toContain('Lunch on the gangway')
    expect(answer, question).not.toMatch(/zircon|gangway team/)
  }
  for (const question of [
    'gangway #lunchtime',
    'gangway #lunch_2',
    'gangway https://example.com/a#lunch',
    'gangway a#lunch',
  ])
    expect(await ask(ada, question), question).toContain('gangway team')
  const kanal = await channel('lunch-kanal', true)
  await bob.say(kanal, 'gangway in the Kanal')
  expect(await ask(ada, lunchKanal)).toMatch(/messages:\n\n- .*: gangway in the Kanal$/)
  // Eve can't read it, so for her nothing has changed.
  const ofEve = await ask(eve, lunchKanal)
  expect(ofEve).toContain('Lunch on the gangway')
  expect(ofEve).not.toContain('Kanal')
  expect(ofEve).toBe(await ask(eve, 'gangway in the #lunch-Kantine'))
})

test('a question that only names a channel lists its latest messages', async () => {
  const [quiet, secret] = [await channel('quiet'), await channel('secret', true)]
  for (let index = 0; index < 7; index++) await bob.say(quiet, `note ${index}`)
  await bob.say(secret, 'note of the secret')
  const latest = [6, 5, 4, 3, 2].map((index) => `: note ${index}`)
  for (const question of [
    '#quiet',
    'What happened in #quiet?',
    'What did I miss in #quiet?',
    'Was ist in #quiet passiert?',
    'Quoi de neuf dans #quiet ?',
    '¿Qué pasó en #quiet?',
    '#quietで何がありましたか？',
    '#quiet で見逃したことはありますか？',
    'ما الذي فاتني في #quiet؟',
  ]) {
    const answer = await ask(ada, question)
    expect(answer, question).toContain("I can't write answers here yet. Latest messages:")
    expect(answer.match(/: note .*$/gm), question).toEqual(latest)
  }
  expect(await ask(ada, 'Find messages about nothing-like-it in #quiet')).toMatch(/no message that fits/)
  expect(await ask(ada, '#secret')).toContain('note of the secret')
  expect(await ask(eve, '#secret')).toBe(await ask(eve, '#nothing'))
  expect(await ask(eve, 'What happened in #secret?')).toBe(await ask(eve, 'What happened in #missing?'))
  expect(await ask(ada, '@assistant-bot #secret', lunch)).not.toContain('note of the secret')
})
