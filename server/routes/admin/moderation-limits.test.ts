import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, bob, cyd, eve } = await parley.people('olga', 'bob', 'cyd', 'eve')
const { body: room } = await bob.post('/api/channels', { name: 'room', members: [cyd.id, eve.id] })
const direct = (by: Person, ...ids: string[]) => by.post('/api/direct-messages', { userIds: ids })

test('the maximum of open reports holds for concurrent requests, and a repeat creates no second report', async () => {
  const ids: string[] = []
  for (let i = 0; i < limits.reports.open + 5; i++) ids.push((await bob.say(room.id, `text ${i}`)).id)
  /** Repeats reports that time out on a busy machine, which may have been stored anyway. */
  const report = async (id: string) => {
    let answer = await cyd.post(`/api/messages/${id}/reports`, {})
    while (answer.status === 503) answer = await cyd.post(`/api/messages/${id}/reports`, {})
    return answer
  }
  const answers = await Promise.all(ids.map(report))
  const done = ids.filter((_, i) => answers[i]?.status === 204)
  expect(done).toHaveLength(limits.reports.open)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  expect((await report(done[0] as string)).status).toBe(204)
})

test('a block applies even if the assistant is in the conversation of two people', async () => {
  const { body: before } = await direct(eve, bob.id, 'assistant-bot')
  await bob.put(`/api/blocks/${eve.id}`, {})
  const sent = await eve.post('/api/messages', { channelId: before.id, content: 'text' })
  expect([sent.status, sent.body.error.reason]).toEqual([403, 'notDelivered'])
  await cyd.put(`/api/blocks/${eve.id}`, {})
  expect((await direct(eve, cyd.id, 'assistant-bot')).body.error.reason).toBe('notDelivered')
  expect((await direct(eve, cyd.id, olga.id)).status).toBe(201)
  await bob.delete(`/api/blocks/${eve.id}`)
  await cyd.delete(`/api/blocks/${eve.id}`)
})

test('nobody sees a muted or blocked person typing', async () => {
  const [bobs, cyds] = [await bob.listen(), await cyd.listen()]
  const { body: talk } = await direct(eve, bob.id)
  for (const { socket, waitFor } of [bobs, cyds]) {
    socket.emit('channel:join', room.id)
    await waitFor('channel:joined', ({ channelId }) => channelId === room.id)
  }
  bobs.socket.emit('channel:join', talk.id)
  await bobs.waitFor('channel:joined', ({ channelId }) => channelId === talk.id)
  await olga.put(`/api/users/${cyd.id}/mute`, { hours: 1 })
  await bob.put(`/api/blocks/${eve.id}`, {})
  const eves = await eve.listen()
  cyds.socket.emit('typing', { channelId: room.id })
  cyds.socket.emit('channel:join', room.id)
  await expect.poll(() => cyds.all('channel:joined').length).toBe(2)
  // A socket's events are handled in order.
  eves.socket.emit('typing', { channelId: talk.id })
  eves.socket.emit('typing', { channelId: room.id })
  await bobs.waitFor('typing', ({ user }) => user.id === eve.id)
  expect(bobs.all('typing').filter(({ user }) => user.id === cyd.id)).toEqual([])
  expect(bobs.all('typing').filter(({ channelId }) => channelId === talk.id)).toEqual([])
  await bob.delete(`/api/blocks/${eve.id}`)
  await olga.delete(`/api/users/${cyd.id}/mute`)
})

test('an admin neither sees nor dismisses reports about themselves', async () => {
  const amy = await parley.person('amy')
  await olga.put(`/api/users/${amy.id}/role`, { role: 'admin' })
  const { body: talk } = await direct(amy, eve.id)
  const { id } = await amy.say(talk.id, 'of an admin')
  await eve.post(`/api/messages/${id}/reports`, {})
  const about = async (by: Person) =>
    (await by.get('/api/reports')).body.filter((report: { messageId: string }) => report.messageId === id)
  const [report] = await about(olga)
  expect(await about(amy)).toEqual([])
  expect((await amy.post(`/api/reports/${report.id}/close`, {})).status).toBe(404)
  expect(await about(olga)).toHaveLength(1)
  expect((await olga.post(`/api/reports/${report.id}/close`, {})).status).toBe(204)
})

test('muted people cannot change names and topics of channels', async () => {
  const { body: own } = await cyd.post('/api/channels', { name: 'of cyd' })
  await olga.put(`/api/users/${cyd.id}/mute`, { hours: 1 })
  for (const answer of [
    await cyd.post('/api/channels', { name: 'shouting' }),
    await cyd.patch(`/api/channels/${own.id}`, { name: 'shouting' }),
    await cyd.patch(`/api/channels/${own.id}`, { topic: 'shouting' }),
  ])
    expect(answer).toMatchObject({ status: 403, code: 'muted' })
  expect((await cyd.patch(`/api/channels/${own.id}`, { posting: 'members' })).status).toBe(200)
  await olga.delete(`/api/users/${cyd.id}/mute`)
})
