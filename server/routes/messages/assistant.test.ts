import { expect, test } from 'vitest'
import { PENDING_CONTENT } from '#contract/assistant'
import type { Message } from '#contract/messages'
import { endAbandoned } from '../../assistant/answers.ts'
import { searchWordsOf } from '../../assistant/asked-words.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

// The assistant as an author, and without a model. Ada and Bob share a private channel; Eve is not in it.

const parley = await startParley({ ASSISTANT_QUOTA: '20' })
const { app } = parley
const ada = await parley.person('ada')
const bob = await parley.person('bob')
const eve = await parley.person('eve')
const { body: open } = await ada.post('/api/channels', { name: 'open', members: [bob.id, eve.id] })
const { body: den } = await ada.post('/api/channels', { name: 'den', isPrivate: true, members: [bob.id] })
const { id: denMessage } = await bob.say(den.id, 'the zirconium release is on Friday')
const { id: openMessage } = await bob.say(open.id, 'the yttrium release is on Monday [x](http://evil.example)')

const talkOf = async (person: Person) =>
  (await person.post('/api/direct-messages', { userIds: ['assistant-bot'] })).body.id as string

/** The complete answer to a question. */
async function answerTo(person: Person, { id, channelId, threadId }: Message) {
  const read = async (): Promise<Message[]> => {
    const inTalk = (await person.get(`/api/messages/channel/${channelId}`)).body
    const inThread = (await person.get(`/api/threads/${threadId ?? id}/messages`)).body
    return [...inTalk, ...inThread]
  }
  const find = async () =>
    (await read()).find(
      (message) => message.clientId === `answer ${id}` && ![PENDING_CONTENT, ''].includes(message.content),
    )
  await expect.poll(find).toBeTruthy()
  return (await find()) as Message
}

test('the assistant exists from the first start, is listed, online, and can be messaged', async () => {
  const { body } = await ada.get('/api/users?query=assis')
  expect(body).toEqual([
    expect.objectContaining({ id: 'assistant-bot', username: 'assistant-bot', name: 'Assistant', status: 'online' }),
  ])
  const { body: talk } = await eve.post('/api/direct-messages', { userIds: ['assistant-bot'] })
  expect(talk.members.map(({ id }: { id: string }) => id).sort()).toEqual(['assistant-bot', eve.id].sort())
  expect((await ada.get('/api/workspace/people')).body.map(({ id }: { id: string }) => id)).not.toContain(
    'assistant-bot',
  )
})

test('nobody can sign in as the assistant or take its name', async () => {
  const signUp = (payload: object) => app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })
  const person = { email: 'x@example.com', password: 'correct horse', name: 'X', username: 'xenia' }
  for (const lie of [
    { username: 'assistant-bot' },
    { username: 'Assistant_Bot' },
    { username: 'assistant' },
    { username: 'ass1stant-b0t' },
    { name: 'Assistant' },
    { name: 'Аssistant' },
    { name: 'assistant bot' },
    { email: 'assistant-bot@parley.invalid' },
  ]) {
    const answer = await signUp({ ...person, ...lie })
    expect(answer.statusCode, JSON.stringify(lie)).toBeGreaterThanOrEqual(400)
    expect(answer.statusCode, JSON.stringify(lie)).toBeLessThan(500)
  }
  for (const way of [
    ['email', { email: 'assistant-bot@parley.invalid', password: 'correct horse' }],
    ['username', { username: 'assistant-bot', password: 'correct horse' }],
  ] as const) {
    const answer = await app.inject({ method: 'POST', url: `/api/auth/sign-in/${way[0]}`, payload: way[1] })
    expect([way[0], answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([way[0], true])
  }
  expect((await eve.patch('/api/users/me', { name: 'Assistаnt' })).status).toBe(400)
  expect((await eve.patch('/api/users/me', { username: 'assistant.bot' })).status).toBe(400)
  // The database itself refuses accounts and sessions of the assistant.
  const account = { id: 'a', userId: 'assistant-bot', accountId: 'a', providerId: 'oidc' }
  await expect(app.db.insertInto('accounts').values(account).execute()).rejects.toThrow(/accounts_notAssistant/)
  const session = { id: 's', userId: 'assistant-bot', token: 't', expiresAt: '2099-01-01T00:00:00.000Z' }
  await expect(app.db.insertInto('sessions').values(session).execute()).rejects.toThrow(/sessions_notAssistant/)
})

test('nobody can send as the assistant or edit its messages', async () => {
  const sent = await bob.post('/api/messages', { channelId: open.id, content: 'I am it', userId: 'assistant-bot' })
  expect(sent.body.userId).toBe(bob.id)
  const question = await ada.say(open.id, '@assistant-bot yttrium?')
  const answer = await answerTo(ada, question)
  expect(answer.userId).toBe('assistant-bot')
  for (const person of [ada, bob])
    expect((await person.put(`/api/messages/${answer.id}`, { content: 'forged' })).status).toBe(403)
})

test('the assistant cannot be deactivated or added to a channel', async () => {
  expect((await ada.put('/api/users/assistant-bot/deactivation', {})).status).toBe(403)
  const invited = await ada.post(`/api/channels/${den.id}/invite`, { userId: 'assistant-bot' })
  expect(invited).toMatchObject({ status: 400, code: 'already_member' })
  const { body } = await ada.post('/api/channels', { name: 'with it', members: [bob.id, 'assistant-bot'] })
  expect(body._count.members).toBe(2)
  expect((await ada.patch(`/api/channels/${body.id}`, { ownerId: 'assistant-bot' })).status).toBe(400)
})

test('mentioned in a channel, the assistant answers in the question’s thread, in one revision and not marked as edited', async () => {
  const bobs = await bob.listen()
  const question = await ada.say(open.id, 'hey @assistant-bot, when is the yttrium release?')
  expect(question.mentions).toEqual([{ userId: 'assistant-bot', username: 'assistant-bot' }])
  const answer = await answerTo(ada, question)
  expect(answer).toMatchObject({ threadId: question.id, userId: 'assistant-bot', editedAt: null, mentions: [] })
  expect(answer.content).toMatch(
    /^I can't write answers here yet\. Closest messages:\n\n- \[Bob in \\#open, \w{3}, \w{3} \d{1,2}\]/,
  )
  expect(answer.content).toContain(`(/channels/${open.id}?message=${openMessage})`)
  // User text is not interpreted as markup.
  expect(answer.content).not.toContain('](http://evil.example)')
  const begun = await bobs.waitFor('thread:message_created', ({ id }) => id === answer.id)
  const ended = await bobs.waitFor('message:updated', ({ id }) => id === answer.id)
  expect(begun.content).toBe(PENDING_CONTENT)
  expect(ended.rev).toBe(begun.rev + 1)
  expect(bobs.all('message:updated').filter(({ id }) => id === answer.id)).toHaveLength(1)
})

test('mentioned in a thread, the assistant answers there; without a mention it is silent', async () => {
  const parent = await ada.say(open.id, 'a thread about yttrium')
  const reply = (content: string) => ada.post('/api/threads/messages', { parentMessageId: parent.id, content })
  await reply('nobody called it: assistant-bot, `@assistant-bot`')
  const { body: question } = await reply('@assistant-bot yttrium?')
  expect((await answerTo(ada, question)).threadId).toBe(parent.id)
  const { body: thread } = await ada.get(`/api/threads/${parent.id}/messages`)
  expect(thread.filter(({ userId }: Message) => userId === 'assistant-bot')).toHaveLength(1)
})

test('in a direct message the assistant answers every message, using everything that the asker may read', async () => {
  const talk = await talkOf(ada)
  const answer = await answerTo(ada, await ada.say(talk, 'zirconium release'))
  expect(answer).toMatchObject({ threadId: null, channelId: talk })
  expect(answer.content).toContain(`(/channels/${den.id}?message=${denMessage})`)
})

test('answers contain nothing from channels that the asker cannot read', async () => {
  const talk = await talkOf(eve)
  for (const question of [
    'zirconium',
    'zirconium release Friday',
    'in:den zirconium',
    `from:${bob.username} zirconium`,
  ]) {
    const { content } = await answerTo(eve, await eve.say(talk, question))
    expect(content).not.toMatch(/Friday|den|zirconium release/)
    expect(content).not.toContain(den.id)
  }
})

test('answers contain nothing from channels that a reader of the answer cannot read', async () => {
  const { content } = await answerTo(ada, await ada.say(open.id, '@assistant-bot zirconium release'))
  expect(content).not.toMatch(/zirconium|Friday/)
  expect(content).not.toContain(den.id)
  // A conversation of three has two readers besides the asker.
  const { body: three } = await ada.post('/api/direct-messages', { userIds: ['assistant-bot', eve.id] })
  const answer = await answerTo(ada, await ada.say(three.id, '@assistant-bot zirconium release'))
  expect(answer.content).not.toMatch(/zirconium|Friday/)
  // In the private channel itself, its own lines may appear.
  const within = await answerTo(bob, await bob.say(den.id, '@assistant-bot zirconium release'))
  expect(within.content).toContain(`(/channels/${den.id}?message=${denMessage})`)
})

test('a user beyond the question quota gets one answer that says so', async () => {
  const cyd = await parley.person('cyd')
  await app.db
    .insertInto('tries')
    .values({ key: `assistant ${cyd.id}`, count: 20, startedAt: new Date().toISOString() })
    .execute()
  const talk = await talkOf(cyd)
  const answer = await answerTo(cyd, await cyd.say(talk, 'yttrium'))
  expect(answer.content).toMatch(/^I answer up to 20 questions an hour from one person\. Ask again in \d+ minutes\.$/)
  await cyd.say(talk, 'yttrium again')
  await answerTo(ada, await ada.say(await talkOf(ada), 'yttrium'))
  const { body } = await cyd.get(`/api/messages/channel/${talk}`)
  expect(body.filter(({ userId }: Message) => userId === 'assistant-bot')).toHaveLength(1)
})

test('an answer whose server died ends with an error sentence', async () => {
  const talk = await talkOf(bob)
  const cut = await app.writer.send({
    channelId: talk,
    userId: 'assistant-bot',
    content: PENDING_CONTENT,
    clientId: null,
  })
  const messageId = cut.message.id
  await app.db.insertInto('assistant_answers').values({ messageId, askedBy: bob.id }).execute()
  await endAbandoned(app, 15, '_Not yet._')
  const read = async () =>
    (await bob.get(`/api/messages/channel/${talk}`)).body.find(({ id }: Message) => id === messageId).content
  expect(await read()).toBe(PENDING_CONTENT)
  await app.db.updateTable('assistant_answers').set({ touchedAt: '2020-01-01T00:00:00.000Z' }).execute()
  // The server notices on its own.
  await expect.poll(read).toBe('_The answer was interrupted. Ask again._')
  expect(await app.db.selectFrom('assistant_answers').selectAll().execute()).toEqual([])
})

test.each([
  ['@assistant-bot When is the release of PAR-12?', ['release', 'PAR-12', 'When', 'the']],
  ['東京の会議はいつ', ['東京']],
  ['猫はどこ', ['猫']],
  ['HR and UX, v2', ['HR', 'UX', 'v2', 'and']],
  ['Busca mensajes sobre sobre', ['sobre']],
  ['Find messages about A', ['A']],
  ['?!', []],
])('the search terms of %j are %j', (question, words) => {
  expect(searchWordsOf(question)).toEqual(expect.arrayContaining(words))
  if (words.length === 0) expect(searchWordsOf(question)).toEqual([])
})
