import { expect, test } from 'vitest'
import { can } from '#contract/can'
import { channelLevels } from '#contract/channels'
import { limits } from '#contract/limits'
import { permissionsOf } from '#contract/permission-table'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob, cyd, eve } = await parley.people('olga', 'ada', 'bob', 'cyd', 'eve')

let count = 0
/** An announcement channel of Ada, with Bob and Cyd. */
async function newChannel(isPrivate = false): Promise<string> {
  const { body } = await ada.post('/api/channels', { name: `news ${count++}`, isPrivate, members: [bob.id, cyd.id] })
  await ada.patch(`/api/channels/${body.id}`, { posting: 'admins', areRepliesOpen: false })
  return body.id
}
function poster(by: Person, channelId: string, { id }: Pick<Person, 'id'>, isNamed = true) {
  const path = `/api/channels/${channelId}/posters/${id}`
  return isNamed ? by.put(path, {}) : by.delete(path)
}
const post = (by: Person, channelId: string, content = 'text') => by.post('/api/messages', { channelId, content })
const postersOf = async (channelId: string) => (await cyd.get(`/api/channels/${channelId}`)).body.posters

test('a named member posts and replies where only admins may, until they are no longer named', async () => {
  const channelId = await newChannel()
  expect((await post(bob, channelId)).body.error.reason).toBe('mayNotPostHere')
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  expect((await poster(ada, channelId, bob)).body.posters).toEqual([bob.id])
  for (const listener of [bobs, eves])
    expect(await listener.waitFor('channel:updated', ({ id }) => id === channelId)).toMatchObject({ posters: [bob.id] })

  const { body: message } = await post(bob, channelId, 'news')
  const reply = () => bob.post('/api/messages', { channelId, threadId: message.id, content: 'more' })
  expect((await reply()).status).toBe(201)
  expect((await bob.upload(channelId, 'notes.txt')).status).toBe(201)
  expect((await post(cyd, channelId)).body.error.reason).toBe('mayNotPostHere')

  expect((await poster(ada, channelId, bob, false)).body.posters).toEqual([])
  expect((await post(bob, channelId)).body.error.reason).toBe('mayNotPostHere')
  expect((await reply()).body.error.reason).toBe('mayNotPostHere')
  const { entries } = (await olga.get('/api/audit?topic=channels&limit=2')).body
  expect(entries).toMatchObject([
    { kind: 'poster_removed', actor: { id: ada.id }, person: { id: bob.id } },
    { kind: 'poster_added', actor: { id: ada.id }, person: { id: bob.id } },
  ])
})

test('only the owner of the channel names its members, and nobody else', async () => {
  const [open, hidden] = [await newChannel(), await newChannel(true)]
  for (const person of [bob, olga]) {
    expect((await poster(person, open, bob)).status).toBe(403)
    expect((await poster(person, open, bob, false)).status).toBe(403)
  }
  for (const person of [eve, olga]) expect((await poster(person, hidden, bob)).status).toBe(404)
  for (const id of [eve.id, 'nobody', 'assistant-bot'])
    expect(await poster(ada, open, { id })).toMatchObject({
      status: 404,
      body: { error: { reason: 'memberNotFound' } },
    })
  expect((await poster(ada, open, { id: '\u0000' })).status).toBe(400)
  expect(await postersOf(open)).toEqual([])

  await ada.put(`/api/channels/${open}/archive`, {})
  expect((await poster(ada, open, bob)).code).toBe('archived')
})

test('naming someone twice, or at the same time as others, neither repeats nor loses anyone', async () => {
  const channelId = await newChannel()
  const answers = await Promise.all([bob, cyd, bob, cyd].map((person) => poster(ada, channelId, person)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const named = await postersOf(channelId)
  expect(named.toSorted()).toEqual([bob.id, cyd.id].toSorted())
  const { rev } = (await ada.get(`/api/channels/${channelId}`)).body
  expect((await poster(ada, channelId, bob)).body.rev).toBe(rev)
})

test('who leaves or is removed is no longer named, even after returning', async () => {
  const channelId = await newChannel()
  for (const person of [bob, cyd]) await poster(ada, channelId, person)
  await bob.post(`/api/channels/${channelId}/leave`)
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: cyd.id })
  expect(await postersOf(channelId)).toEqual([])
  for (const person of [bob, cyd]) await person.post(`/api/channels/${channelId}/join`)
  for (const person of [bob, cyd]) expect((await post(person, channelId)).body.error.reason).toBe('mayNotPostHere')
})

test('the number of named members is limited', async () => {
  const channelId = await newChannel()
  const others = Array.from({ length: limits.posters }, (_, i) => `gone-${i}`)
  await parley.app.db.updateTable('channels').set({ posters: others }).where('id', '=', channelId).execute()
  expect(await poster(ada, channelId, bob)).toMatchObject({
    status: 400,
    body: { error: { reason: 'tooManyPosters' } },
  })
  expect((await poster(ada, channelId, { id: 'gone-0' }, false)).status).toBe(200)
  expect((await poster(ada, channelId, bob)).status).toBe(200)
})

test('the browser’s rules and the database agree for named people of each role and level', async () => {
  const channelId = await newChannel()
  await ada.post(`/api/channels/${channelId}/invite`, { userId: olga.id })
  const { body: invite } = await olga.post('/api/invites', { guests: { channelIds: [channelId], days: 1 } })
  const gil = await parley.person('gil', invite.code)
  const { id: threadId } = await ada.say(channelId, 'parent')
  for (const posting of channelLevels)
    for (const areRepliesOpen of [true, false])
      for (const named of [true, false])
        for (const [person, role] of [
          [bob, 'member'],
          [gil, 'guest'],
        ] as const) {
          await ada.patch(`/api/channels/${channelId}`, { posting, areRepliesOpen })
          const { body: channel } = await poster(ada, channelId, person, named)
          const me = { id: person.id, role, may: permissionsOf(role) }
          const sent = (await post(person, channelId)).status === 201
          const replied = (await person.post('/api/messages', { channelId, threadId, content: 'text' })).status === 201
          const expected = [can.post(me, channel), can.reply(me, channel)]
          expect([role, posting, areRepliesOpen, named, sent, replied]).toEqual([
            role,
            posting,
            areRepliesOpen,
            named,
            ...expected,
          ])
        }
})

test('who left on a node of the previous version is not named after returning', async () => {
  const channelId = await newChannel()
  await poster(ada, channelId, bob)
  // That version ends the membership without changing who is named.
  const { db } = parley.app
  await db.deleteFrom('memberships').where('channelId', '=', channelId).where('userId', '=', bob.id).execute()
  await bob.post(`/api/channels/${channelId}/join`)
  expect(await postersOf(channelId)).toEqual([])
  expect((await post(bob, channelId)).body.error.reason).toBe('mayNotPostHere')
})

test('the owner is never among the named people, nor after a transfer', async () => {
  const channelId = await newChannel()
  for (const person of [ada, bob]) expect((await poster(ada, channelId, person)).status).toBe(200)
  expect(await postersOf(channelId)).toEqual([bob.id])
  expect((await ada.patch(`/api/channels/${channelId}`, { ownerId: bob.id })).status).toBe(200)
  expect(await postersOf(channelId)).toEqual([])
})

test('whoever is named is a member, also when people come, go and are named at the same time', async () => {
  const channelId = await newChannel()
  const { db } = parley.app
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all([
      poster(ada, channelId, bob),
      bob.post(`/api/channels/${channelId}/leave`),
      poster(ada, channelId, cyd, round % 2 === 0),
      ada.post(`/api/channels/${channelId}/remove-member`, { userId: cyd.id }),
      post(bob, channelId),
      ...[bob, cyd].map((person) => person.post(`/api/channels/${channelId}/join`)),
      poster(ada, channelId, bob, false),
      poster(ada, channelId, bob),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const members = db.selectFrom('memberships').select('userId').where('channelId', '=', channelId)
    const ids = (await members.execute()).map(({ userId }) => userId)
    expect(ids).toEqual(expect.arrayContaining((await postersOf(channelId)) as string[]))
    for (const person of [bob, cyd]) await person.post(`/api/channels/${channelId}/join`)
  }
})
