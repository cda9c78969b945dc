import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Person, startParley } from '../test/support/parley.ts'
import { claimMissed } from './find-missed.ts'

const parley = await startParley()
const { db } = parley.app
const { ada } = await parley.people('ada')
// Messages before the first check count as old.
await claim()

/** What would be mailed about all messages since the last call: the person, and by which rule. */
async function claim() {
  const active = parley.app.presence.active()
  const { missed } = await db.transaction().execute((tx) => claimMissed(tx, { afterMs: 0, active }))
  return Object.fromEntries(missed.map(({ userId, rule }) => [userId, rule]))
}

/** People who were active a while ago, and no longer are. */
async function away(...names: string[]) {
  const people = await Promise.all(names.map((name) => parley.person(name)))
  const ids = people.map(({ id }) => id)
  await db.updateTable('users').set({ emailVerified: true }).where('id', 'in', ids).execute()
  await db
    .updateTable('sessions')
    .set({ lastUsedAt: sql<string>`clock_timestamp() - interval '1 minute'` })
    .where('userId', 'in', ids)
    .execute()
  return people
}

async function channelWith(people: Person[]) {
  const members = people.map(({ id }) => id)
  return (await ada.post('/api/channels', { name: `with ${people[0]?.username}`, members })).body.id as string
}
const directWith = async ({ id }: Person) =>
  (await ada.post('/api/direct-messages', { userIds: [id] })).body.id as string
const set = ({ id }: Person, channelId: string, flags: { notificationLevel?: string; muted?: boolean }) =>
  db.updateTable('memberships').set(flags).where('userId', '=', id).where('channelId', '=', channelId).execute()
const setDefault = ({ id }: Person, level: string) =>
  db.insertInto('notification_settings').values({ userId: id, level }).execute()

test('what notifies people decides what is mailed: the level of the conversation, or else their default', async () => {
  const people = await away('none', 'silenced', 'every', 'plain', 'mute', 'stopped')
  const [none, silenced, every, plain, mute, stopped] = people as [Person, Person, Person, Person, Person, Person]
  const id = await channelWith(people)
  await set(none, id, { notificationLevel: 'nothing' })
  await setDefault(silenced, 'nothing')
  await set(every, id, { notificationLevel: 'everything' })
  await set(mute, id, { muted: true })
  await db.insertInto('mail_rules').values({ userId: stopped.id, rule: 'mentions', isOn: false }).execute()
  await ada.say(id, 'to nobody in particular')
  expect(await claim()).toEqual({})
  await ada.say(id, '@channel to all')
  expect(await claim()).toEqual({ [every.id]: 'mentions', [plain.id]: 'mentions' })
  await ada.say(id, '@channel again')
  expect(await claim()).toEqual({})

  // A default does not apply to direct messages; a choice for one does.
  const direct = await directWith(none)
  await set(none, direct, { notificationLevel: 'mentions' })
  for (const channelId of [await directWith(silenced), direct]) await ada.say(channelId, 'psst')
  expect(await claim()).toEqual({ [silenced.id]: 'direct' })
  await ada.say(direct, `@${none.username} psst`)
  expect(await claim()).toEqual({ [none.id]: 'mentions' })
})

test('who left a tab open is mailed, until there is input again', async () => {
  const [gil] = (await away('gil')) as [Person]
  const { socket } = await gil.listen()
  const direct = await directWith(gil)
  socket.emit('status:update', 'idle')
  await expect.poll(() => parley.app.presence.isIdle(gil.id)).toBe(true)
  await ada.say(direct, 'still there?')
  expect(await claim()).toEqual({ [gil.id]: 'direct' })
  await db.deleteFrom('missed_mails').execute()
  socket.emit('status:update', 'online')
  await expect.poll(() => parley.app.presence.isIdle(gil.id)).toBe(false)
  await ada.say(direct, 'ah, there')
  expect(await claim()).toEqual({})
  socket.close()
})

test('a keyword is mailed like a mention', async () => {
  const people = await away('watcher', 'mentioned', 'deaf')
  const [watcher, mentioned, deaf] = people as [Person, Person, Person]
  for (const person of people) await person.patch('/api/notification-settings/keywords', { add: ['Outage'] })
  // That was a call of theirs.
  await away('nobody')
  await db.updateTable('sessions').set({ lastUsedAt: sql<string>`clock_timestamp() - interval '1 minute'` }).execute()
  const id = await channelWith(people)
  await set(deaf, id, { notificationLevel: 'nothing' })
  await ada.say(id, `an outage, @${mentioned.username}`)
  expect(await claim()).toEqual({ [watcher.id]: 'mentions', [mentioned.id]: 'mentions' })
})

test('in a thread, everyone means those who follow it, and a mention by name anybody', async () => {
  const people = await away('follower', 'other', 'named')
  const [follower, , named] = people as [Person, Person, Person]
  const parent = await ada.say(await channelWith(people), 'a question')
  await db
    .insertInto('thread_follows')
    .values({ userId: follower.id, threadId: parent.id, isFollowing: true })
    .execute()
  const reply = (content: string) => ada.post('/api/threads/messages', { parentMessageId: parent.id, content })
  await reply('@channel an answer')
  await reply(`@${named.username} see above`)
  expect(await claim()).toEqual({ [follower.id]: 'mentions', [named.id]: 'mentions' })
})
