import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { Changes } from '#contract/changes'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { MAX_REACTORS_PER_MESSAGE } from '../../messages/message-rows.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

let made = 0
/** A message of Ada's in a private channel with Bob and Cyd, but not Eve. */
async function newMessage({ isPrivate = true } = {}): Promise<Message> {
  const members = [bob.id, cyd.id]
  const { body } = await ada.post('/api/channels', { name: `reactions-${made++}`, isPrivate, members })
  const message = await ada.say(body.id, 'well?')
  expect((await eve.get(`/api/messages/${message.id}/reactions`)).status).toBe(isPrivate ? 404 : 200)
  return message
}

const url = ({ id }: { id: string }, emoji = '') =>
  `/api/messages/${id}/reactions${emoji && `/${encodeURIComponent(emoji)}`}`
const add = (person: Person, message: { id: string }, emoji: unknown) => person.post(url(message), { emoji })
const remove = (person: Person, message: { id: string }, emoji: string) => person.delete(url(message, emoji))
const reactions = async (person: Person, message: Message) => (await person.get(url(message))).body
/** The message as returned in the channel's page. */
const shown = async ({ id, channelId }: Message): Promise<Message> =>
  (await ada.get(`/api/messages/channel/${channelId}`)).body.find((message: Message) => message.id === id)
const revOf = async ({ channelId }: Message) => (await ada.get(`/api/channels/${channelId}`)).body.rev
const user = ({ id, username, name }: Person) => ({ id, username, name })

test('reactions map each emoji to its users, oldest first', async () => {
  const message = await newMessage()
  expect(message).toMatchObject({ reactions: {}, reactionCounts: {} })
  expect(await add(bob, message, '👍')).toMatchObject({ status: 200, body: { '👍': [user(bob)] } })
  await add(bob, message, '🎉')
  const { body } = await add(cyd, message, '👍')
  expect(await shown(message)).toMatchObject({
    reactions: { '👍': [user(bob), user(cyd)], '🎉': [user(bob)] },
    reactionCounts: { '👍': 2, '🎉': 1 },
    editedAt: null,
  })
  expect(Object.keys((await shown(message)).reactions)).toEqual(['👍', '🎉'])
  expect(body).toEqual({ '👍': [user(cyd), user(bob)], '🎉': [user(bob)] })
  expect(await reactions(bob, message)).toEqual({ '👍': [user(bob), user(cyd)], '🎉': [user(bob)] })
  expect(await reactions(ada, message)).toEqual((await shown(message)).reactions)
  expect(await remove(bob, message, '👍')).toMatchObject({
    status: 200,
    body: { '👍': [user(cyd)], '🎉': [user(bob)] },
  })
  expect((await remove(cyd, message, '👍')).body).toEqual({ '🎉': [user(bob)] })
  expect(await shown(message)).toMatchObject({ reactions: { '🎉': [user(bob)] }, reactionCounts: { '🎉': 1 } })
})

test('each reaction takes one rev and publishes one event, in order, with the resulting reactions', async () => {
  const message = await newMessage()
  const [listener, outsider] = [await cyd.listen(), await eve.listen()]
  await add(bob, message, '👍')
  await add(ada, message, '👍')
  await remove(bob, message, '👍')
  await remove(ada, message, '👍')
  const last = await shown(message)
  expect(last).toMatchObject({ rev: message.rev + 4, reactions: {}, reactionCounts: {} })
  await listener.waitFor('reaction:removed', ({ rev }) => rev === last.rev)
  const about = { messageId: message.id, channelId: message.channelId, updatedAt: expect.any(String) }
  const events = listener.events.filter(({ event }) => event.startsWith('reaction:'))
  expect(events).toEqual([
    {
      event: 'reaction:added',
      payload: {
        ...about,
        rev: message.rev + 1,
        users: [user(bob)],
        count: 1,
        reaction: { emoji: '👍', user: user(bob) },
      },
    },
    {
      event: 'reaction:added',
      payload: {
        ...about,
        rev: message.rev + 2,
        users: [user(bob), user(ada)],
        count: 2,
        reaction: { emoji: '👍', user: user(ada) },
      },
    },
    {
      event: 'reaction:removed',
      payload: { ...about, rev: message.rev + 3, users: [user(ada)], count: 1, emoji: '👍', userId: bob.id },
    },
    {
      event: 'reaction:removed',
      payload: { ...about, rev: message.rev + 4, users: [], count: 0, emoji: '👍', userId: ada.id },
    },
  ])
  expect(listener.all('reaction:removed').at(-1)?.updatedAt).toBe(last.updatedAt)
  expect(JSON.stringify(outsider.events)).not.toContain(message.channelId)
  const changes: Changes = (await bob.get(`/api/channels/${message.channelId}/changes?after=${message.rev}`)).body
  expect(changes).toEqual({ rev: last.rev, messages: [last] })
})

test('adding or removing a reaction twice is not an error and publishes nothing, even concurrently', async () => {
  const message = await newMessage()
  const listener = await cyd.listen()
  const adding = await Promise.all([1, 2, 3].map(() => add(bob, message, '👍')))
  for (const { status, body } of adding) expect([status, body]).toEqual([200, { '👍': [user(bob)] }])
  expect(await revOf(message)).toBe(message.rev + 1)
  const removing = await Promise.all([1, 2, 3].map(() => remove(bob, message, '👍')))
  for (const { status, body } of removing) expect([status, body]).toEqual([200, {}])
  expect((await remove(cyd, message, '🎉')).status).toBe(200)
  expect(await revOf(message)).toBe(message.rev + 2)
  await ada.say(message.channelId, 'after')
  await listener.waitFor('message:created', ({ content }) => content === 'after')
  expect(listener.events.filter(({ event }) => event.startsWith('reaction:'))).toHaveLength(2)
})

const emojis = [
  '👨‍👩‍👧‍👦',
  '👩🏽‍❤️‍💋‍👨🏿',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '🏴‍☠️',
  '🇺🇳',
  '👍🏿',
  '#️⃣',
  '*️⃣',
  '0️⃣',
  '❤️',
  '❤️‍🔥',
  '☺️',
  '©️',
  '🧑🏻‍🤝‍🧑🏿',
  '💯',
]

test.each(emojis)('%s is accepted as one emoji, and returned unchanged', async (emoji) => {
  const message = await newMessage()
  expect(await add(bob, message, emoji)).toMatchObject({ status: 200, body: { [emoji]: [user(bob)] } })
  expect((await shown(message)).reactionCounts).toEqual({ [emoji]: 1 })
  expect(await remove(bob, message, emoji)).toMatchObject({ status: 200, body: {} })
})

test.each(['', 'a', '👍👍', '👍 ', '❤', ':+1:', '../', '%', '👍\0', '🏻👍', '\u200d', '__proto__', '👍'.repeat(1000)])(
  '%j is refused as a reaction',
  async (emoji) => {
    const message = await newMessage()
    expect(await add(bob, message, emoji)).toMatchObject({ status: 400, code: 'invalid' })
    // Without an emoji it is the URL of all reactions, which has no DELETE.
    expect([400, 404, 405, 414]).toContain((await remove(bob, message, emoji)).status)
    expect(await revOf(message)).toBe(message.rev)
  },
)

test('a reaction that is not text, or a malformed URL, is refused', async () => {
  const message = await newMessage()
  for (const emoji of [null, 1, ['👍'], { emoji: '👍' }, undefined])
    expect(await add(bob, message, emoji)).toMatchObject({ status: 400, code: 'invalid' })
  expect((await bob.delete(`${url(message)}/%F0%9F`)).status).toBe(400)
})

test('outsiders neither react nor see reactions; visitors see them', async () => {
  const [hidden, open] = [await newMessage(), await newMessage({ isPrivate: false })]
  for (const message of [hidden, { id: uuid() }]) {
    expect(await add(eve, message, '👍')).toMatchObject({ status: 404, code: 'not_found' })
    expect(await remove(eve, message, '👍')).toMatchObject({ status: 404, code: 'not_found' })
    expect(await eve.get(url(message))).toMatchObject({ status: 404, code: 'not_found' })
  }
  await add(bob, open, '👍')
  expect(await add(eve, open, '👍')).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(await remove(eve, open, '👍')).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(await reactions(eve, open)).toEqual({ '👍': [user(bob)] })
})

test('nobody can remove somebody else’s reaction, and reactions remain after their user leaves', async () => {
  const message = await newMessage()
  await add(bob, message, '👍')
  expect((await remove(ada, message, '👍')).body).toEqual({ '👍': [user(bob)] })
  await bob.post(`/api/channels/${message.channelId}/leave`)
  expect(await remove(bob, message, '👍')).toMatchObject({ status: 404 })
  expect(await reactions(ada, message)).toEqual({ '👍': [user(bob)] })
})

test('a reply accepts reactions like a message, and its parent does not change', async () => {
  const parent = await newMessage()
  const { body: reply } = await bob.post('/api/threads/messages', { parentMessageId: parent.id, content: 'yes' })
  const before = await shown(parent)
  await add(cyd, reply, '👍')
  const [, after] = (await ada.get(`/api/threads/${parent.id}/messages`)).body
  expect(after).toMatchObject({ id: reply.id, rev: reply.rev + 1, reactions: { '👍': [user(cyd)] } })
  expect(await shown(parent)).toEqual(before)
})

test('a tombstone has no reactions and accepts none', async () => {
  const message = await newMessage()
  await add(bob, message, '👍')
  await ada.delete(`/api/messages/${message.id}`)
  const { rev } = await shown(message)
  expect(await shown(message)).toMatchObject({ reactions: {}, reactionCounts: {} })
  expect(await reactions(bob, message)).toEqual({})
  expect(await add(bob, message, '👍')).toMatchObject({ status: 409, code: 'deleted' })
  expect(await remove(bob, message, '👍')).toMatchObject({ status: 200, body: {} })
  expect(await revOf(message)).toBe(rev)
})

const faces = Array.from({ length: limits.reactions + 1 }, (_, n) => String.fromCodePoint(0x1f600 + n))

test('a message accepts fifty different emoji, more of the same, and a new one after one is removed', async () => {
  const message = await newMessage()
  const answers = []
  // Only the last ones run concurrently: a slow machine cannot handle all of them in time.
  for (const emoji of faces.slice(0, -3)) answers.push(await add(bob, message, emoji))
  answers.push(...(await Promise.all(faces.slice(-3).map((emoji) => add(bob, message, emoji)))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(limits.reactions)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toMatchObject([{ status: 409, code: 'too_many_reactions' }])
  const { reactionCounts } = await shown(message)
  const [first = ''] = Object.keys(reactionCounts)
  const left = faces.find((emoji) => !(emoji in reactionCounts)) ?? ''
  expect((await add(cyd, message, first)).status).toBe(200)
  expect((await add(cyd, message, left)).status).toBe(409)
  await remove(bob, message, first)
  expect((await add(cyd, message, left)).status).toBe(409)
  await remove(cyd, message, first)
  expect((await add(cyd, message, left)).status).toBe(200)
})

test('a reaction lists fifty users, the viewer first, and counts all', async () => {
  const message = await newMessage()
  const crowd = Array.from({ length: 60 }, (_, n) => ({ id: `fan-${`${n}`.padStart(2, '0')}`, n }))
  await parley.app.db
    .insertInto('users')
    .values(crowd.map(({ id, n }) => ({ id, name: `Fan ${n}`, username: id, email: `${id}@example.com` })))
    .execute()
  await parley.app.db
    .insertInto('reactions')
    .values(
      crowd.map(({ id, n }) => ({
        messageId: message.id,
        emoji: '👍',
        userId: id,
        createdAt: new Date(n).toISOString(),
      })),
    )
    .execute()
  const listener = await cyd.listen()
  const ids = (people: { id: string }[] | undefined) => people?.map(({ id }) => id)
  const first = (n: number, from = 0) => crowd.slice(from, from + n).map(({ id }) => id)

  const { body } = await add(bob, message, '👍')
  expect(ids(body['👍'])).toEqual([bob.id, ...first(49)])
  expect(ids((await reactions(cyd, message))['👍'])).toEqual(first(50))
  const event = await listener.waitFor('reaction:added', ({ messageId }) => messageId === message.id)
  expect([event.count, ids(event.users), event.reaction.user]).toEqual([61, first(50), user(bob)])
  const page = await shown(message)
  expect([page.reactionCounts['👍'], ids(page.reactions['👍'])]).toEqual([61, first(50)])

  await parley.app.db.deleteFrom('reactions').where('userId', 'in', first(20)).execute()
  expect(ids((await remove(bob, message, '👍')).body['👍'])).toEqual(first(40, 20))
  const gone = await listener.waitFor('reaction:removed', ({ messageId }) => messageId === message.id)
  expect([gone.count, ids(gone.users)]).toEqual([40, first(40, 20)])
  expect(ids((await shown(message)).reactions['👍'])).toEqual(first(40, 20))
})

test('a new name is shown on reactions everywhere', async () => {
  const message = await newMessage()
  const max = await parley.person('max')
  await ada.post(`/api/channels/${message.channelId}/invite`, { userId: max.id })
  await add(max, message, '👍')
  await max.patch('/api/users/me', { name: 'Maxine' })
  const renamed = { '👍': [{ id: max.id, username: 'max', name: 'Maxine' }] }
  expect((await shown(message)).reactions).toEqual(renamed)
  expect(await reactions(bob, message)).toEqual(renamed)
})

test('a message of many emojis lists fewer people for each, and counts them all', async () => {
  const message = await newMessage()
  const people = Array.from({ length: 50 }, (_, n) => [ada, bob, cyd][n % 3]?.id)
  const emojis = Array.from({ length: 50 }, (_, n) => String.fromCodePoint(0x1f600 + n))
  const few = emojis.slice(0, 2)
  const rows = emojis.map((emoji) => ({ emoji, count: 70, userIds: few.includes(emoji) ? [bob.id] : people }))
  const write = (reactions: typeof rows) =>
    parley.app.pool.query('update messages set reactions = $2 where id = $1', [message.id, JSON.stringify(reactions)])
  await write(rows)
  const { reactions, reactionCounts } = await shown(message)
  expect(Object.values(reactionCounts)).toEqual(Array(50).fill(70))
  expect(Object.values(reactions).flat().length).toBeLessThanOrEqual(MAX_REACTORS_PER_MESSAGE)
  for (const emoji of emojis) expect(reactions[emoji]).toHaveLength(few.includes(emoji) ? 1 : 6)
  expect(reactions[emojis[9] as string]?.map(({ id }) => id)).toEqual(people.slice(0, 6))
})
