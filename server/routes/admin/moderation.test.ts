import { expect, test } from 'vitest'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
// Olga came first, so she owns the workspace.
const { olga, ada, bob, cyd, eve } = await parley.people('olga', 'ada', 'bob', 'cyd', 'eve')
await olga.put(`/api/users/${ada.id}/role`, { role: 'admin' })
const { body: room } = await bob.post('/api/channels', { name: 'room', isPrivate: true, members: [cyd.id] })
const direct = async (by: Person, ...others: Person[]) =>
  by.post('/api/direct-messages', { userIds: others.map(({ id }) => id) })
const reports = async (by = ada) => (await by.get('/api/reports')).body

/** All ways to write, in a channel, a thread and a direct message. */
async function writes(person: Person, channelId: string, own: string) {
  return {
    send: await person.post('/api/messages', { channelId, content: 'text' }),
    reply: await person.post('/api/messages', { channelId, threadId: own, content: 'text' }),
    replyElsewhere: await person.post('/api/threads/messages', { parentMessageId: own, content: 'text' }),
    edit: await person.put(`/api/messages/${own}`, { content: `text ${Math.random()}` }),
    editReply: await person.put(`/api/threads/messages/${own}`, { content: `text ${Math.random()}` }),
    react: await person.post(`/api/messages/${own}/reactions`, { emoji: '👀' }),
    unreact: await person.delete(`/api/messages/${own}/reactions/${encodeURIComponent('🎉')}`),
    upload: await person.upload(channelId, 'notes.txt'),
  }
}
const codesOf = (answers: Awaited<ReturnType<typeof writes>>) => [
  ...new Set(Object.values(answers).map(({ status, code }) => code ?? (status < 300 ? 'done' : status))),
]

test('muted people can read but not write until the mute ends', async () => {
  const { id: own } = await cyd.say(room.id, 'before')
  const { body: dm } = await direct(cyd, bob)
  const { id: ownDirect } = await cyd.say(dm.id, 'before')
  const hears = await cyd.listen()
  expect((await bob.put(`/api/users/${cyd.id}/mute`, { hours: 2 })).status).toBe(403)
  expect((await ada.put(`/api/users/${cyd.id}/mute`, { hours: 2 })).status).toBe(204)
  await hears.waitFor('user:updated', ({ id }) => id === cyd.id)
  expect(codesOf(await writes(cyd, room.id, own))).toEqual(['muted'])
  expect(codesOf(await writes(cyd, dm.id, ownDirect))).toEqual(['muted'])
  expect((await cyd.get(`/api/messages/channel/${room.id}`)).status).toBe(200)
  // They may delete their own messages.
  const { id: other } = await bob.say(room.id, 'of bob')
  expect((await cyd.delete(`/api/messages/${other}`)).status).toBe(403)

  const { cookie } = cyd
  const session = (await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json()
  expect(Date.parse(session.user.mutedUntil)).toBeGreaterThan(Date.now())
  const past = new Date(Date.now() - 1000).toISOString()
  await parley.app.db.updateTable('users').set({ mutedUntil: past }).where('id', '=', cyd.id).execute()
  expect(codesOf(await writes(cyd, room.id, own))).toEqual(['done'])
  await ada.put(`/api/users/${cyd.id}/mute`, { hours: 2 })
  expect((await ada.delete(`/api/users/${cyd.id}/mute`)).status).toBe(204)
  expect(codesOf(await writes(cyd, room.id, own))).toEqual(['done'])
})

test('only the owner can mute admins, and nobody can mute the owner', async () => {
  for (const [by, whom] of [
    [ada, ada],
    [ada, olga],
    [bob, ada],
    [olga, olga],
  ] as const)
    expect((await by.put(`/api/users/${whom.id}/mute`, { hours: 1 })).status).toBe(403)
  expect((await olga.put(`/api/users/${ada.id}/mute`, { hours: 1 })).status).toBe(204)
  await olga.delete(`/api/users/${ada.id}/mute`)
  const { entries } = (await olga.get('/api/audit?kind=person_muted&limit=1')).body
  expect(entries[0]).toMatchObject({ actor: { id: olga.id }, person: { id: ada.id }, details: { hours: 1 } })
})

test('a block refuses only direct messages between the two, with a neutral error', async () => {
  const { body: dm } = await direct(bob, eve)
  const { id: own } = await eve.say(dm.id, 'before')
  const { body: group } = await direct(bob, eve, cyd)
  expect((await bob.put(`/api/blocks/${eve.id}`, {})).status).toBe(204)
  expect((await bob.get('/api/blocks')).body.map(({ id }: Person) => id)).toEqual([eve.id])
  const answers = await writes(eve, dm.id, own)
  expect(codesOf(answers)).toEqual(['forbidden'])
  expect(answers.send.body.error.reason).toBe('notDelivered')
  expect(JSON.stringify(answers.send.body)).not.toMatch(/block/i)
  expect((await eve.post('/api/messages', { channelId: group.id, content: 'text' })).status).toBe(201)
  // Nobody else can tell.
  expect((await eve.get('/api/blocks')).body).toEqual([])
  expect((await bob.delete(`/api/blocks/${eve.id}`)).status).toBe(204)
  expect((await eve.post('/api/messages', { channelId: dm.id, content: 'text' })).status).toBe(201)

  // A new conversation can't be started either.
  await cyd.put(`/api/blocks/${eve.id}`, {})
  expect((await direct(eve, cyd)).body.error.reason).toBe('notDelivered')
  expect((await cyd.put(`/api/blocks/${cyd.id}`, {})).status).toBe(400)
  expect((await cyd.put('/api/blocks/nobody', {})).status).toBe(404)
})

test('the owner and admins see the reported text and the reporter, nobody else does', async () => {
  const { id } = await bob.say(room.id, 'insult')
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  expect((await eve.post(`/api/messages/${id}/reports`, {})).status).toBe(404)
  expect((await bob.post(`/api/messages/${id}/reports`, {})).status).toBe(403)
  for (const reason of ['rude', 'again'])
    expect((await cyd.post(`/api/messages/${id}/reports`, { reason })).status).toBe(204)
  await bob.put(`/api/messages/${id}`, { content: 'harmless' })
  for (const person of [bob, cyd, eve]) expect((await person.get('/api/reports')).status).toBe(403)
  const [report] = await reports()
  expect(await reports()).toHaveLength(1)
  expect(report).toMatchObject({
    content: 'insult',
    reason: 'rude',
    author: { id: bob.id },
    reporter: { id: cyd.id },
    // Ada is not in the channel.
    channel: null,
  })
  expect((await bob.post(`/api/reports/${report.id}/close`, {})).status).toBe(403)
  expect((await ada.post(`/api/reports/${report.id}/close`, { deletesMessage: true })).status).toBe(204)
  const deleted = await bobs.waitFor('message:deleted', (message) => message.id === id)
  expect(deleted.content).toBe('')
  expect(await reports()).toEqual([])
  expect(JSON.stringify([bobs.events, eves.events])).not.toMatch(/rude|insult/)
  const { entries } = (await olga.get('/api/audit?kind=message_deleted&limit=1')).body
  expect(entries[0]).toMatchObject({ actor: { id: ada.id }, person: { id: bob.id } })
})

test('a dismissed report is gone, and its message stays', async () => {
  const { id } = await bob.say(room.id, 'fine')
  await cyd.post(`/api/messages/${id}/reports`, {})
  const [report] = await reports(olga)
  expect((await olga.post(`/api/reports/${report.id}/close`, {})).status).toBe(204)
  expect(await reports(olga)).toEqual([])
  const { body: page } = await bob.get(`/api/messages/channel/${room.id}?around=${id}`)
  expect(page.find((message: { id: string }) => message.id === id).content).toBe('fine')
})
