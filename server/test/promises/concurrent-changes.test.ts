import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { transaction, untilLockWait } from '../support/open-transactions.ts'
import { startParley } from '../support/parley.ts'

// Changes between a query and a write that relies on its result.

const parley = await startParley()
const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
const { databaseUrl } = parley
const { db } = parley.app

let made = 0
const somebody = () => parley.person(`meanwhile-${made++}`)

test('a deactivation publishes its user’s current name', async () => {
  const dan = await somebody()
  const bobs = await bob.listen()
  const renaming = await transaction(
    databaseUrl,
    ['update workspace set "peopleVersion" = "peopleVersion" + 1'],
    [`update users set name = 'Danielle' where id = $1`, [dan.id]],
  )
  const deactivating = ada.put(`/api/users/${dan.id}/deactivation`, {})
  await untilLockWait(databaseUrl, 'workspace')
  await renaming.commit()
  expect((await deactivating).status).toBe(204)
  const { peopleVersion } = await db.selectFrom('workspace').select('peopleVersion').executeTakeFirstOrThrow()
  const updated = await bobs.waitFor('user:updated', (it) => it.id === dan.id && it.peopleVersion === peopleVersion)
  expect(updated.name).toBe('Danielle')
  expect(
    bobs
      .all('user:updated')
      .filter((it) => it.id === dan.id)
      .map(({ name }) => name),
  ).not.toContain(dan.name)
})

test('when two admins deactivate each other concurrently, one stays active', async () => {
  const [one, two] = [await somebody(), await somebody()]
  await db.updateTable('users').set({ role: 'admin' }).where('id', 'in', [one.id, two.id]).execute()
  const lock = await transaction(databaseUrl, ['select from workspace for update'])
  const acts = [one.put(`/api/users/${two.id}/deactivation`, {}), two.put(`/api/users/${one.id}/deactivation`, {})]
  await untilLockWait(databaseUrl, 'workspace')
  await lock.rollback()
  expect((await Promise.all(acts)).map(({ status }) => status).sort()).toEqual([204, 401])
})

test('a user being deactivated cannot create an invite to come back', async () => {
  const dan = await somebody()
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', dan.id).execute()
  const deactivating = await transaction(databaseUrl, [
    'update users set "deactivatedAt" = now() where id = $1',
    [dan.id],
  ])
  const asking = dan.post('/api/invites', { days: 1, maxUses: 1 })
  // Without the lock on the user's row, the call would create the invite immediately.
  await Promise.race([untilLockWait(databaseUrl, 'for share'), asking])
  await deactivating.commit()
  expect(await asking).toMatchObject({ status: 401, code: 'unauthenticated' })
  const left = await db.selectFrom('invites').select('id').where('createdBy', '=', dan.id).execute()
  expect(left).toEqual([])
})

test('a call that waits while its caller loses their role is refused', async () => {
  const dan = await somebody()
  const setRole = (role: string) => db.updateTable('users').set({ role }).where('id', '=', dan.id).execute()
  const { id: channelId } = (await ada.post('/api/channels', { name: 'kept', members: [bob.id, dan.id] })).body
  const message = await bob.say(channelId, 'mine')
  const { body: file } = await bob.upload(channelId, 'mine.txt')
  const waiting = 'select from channels where id = $1 for update'
  const acts: [() => Promise<{ status: number }>, string, string, string[]][] = [
    [() => dan.delete(`/api/messages/${message.id}`), waiting, 'channels', [channelId]],
    [() => dan.delete(`/api/files/${file.id}`), waiting, 'channels', [channelId]],
    [() => dan.post('/api/invites', { days: 1, maxUses: 1 }), 'select from workspace for update', 'workspace', []],
  ]
  for (const [act, statement, table, values] of acts) {
    await setRole('admin')
    const lock = await transaction(databaseUrl, [statement, values])
    const asking = act()
    await Promise.race([untilLockWait(databaseUrl, table), asking])
    await setRole('member')
    await lock.rollback()
    expect((await asking).status).toBe(403)
  }
  const messages = (await bob.get(`/api/messages/channel/${channelId}`)).body as Message[]
  expect(messages.map(({ content }) => content)).toEqual(['mine'])
  expect((await bob.get(`/api/files/channel/${channelId}`)).body).toHaveLength(1)

  await setRole('admin')
  for (const [act] of acts) expect((await act()).status).toBeLessThan(300)
})

test('a file whose uploader is removed during the upload does not appear in the channel', async () => {
  const { body } = await ada.post('/api/channels', { name: `moment-${made++}`, isPrivate: true, members: [bob.id] })
  // An upload takes this lock last.
  const lock = await transaction(databaseUrl, ['select from users where id = $1 for no key update', [bob.id]])
  const uploading = bob.upload(body.id, 'plans.txt')
  await untilLockWait(databaseUrl, 'for no key update')
  await ada.post(`/api/channels/${body.id}/remove-member`, { userId: bob.id })
  await lock.rollback()
  expect(await uploading).toMatchObject({ status: 404, code: 'not_found' })
  expect((await ada.get(`/api/files/channel/${body.id}`)).body).toEqual([])
})

test('a message concurrently purged by another node does not break the rest of the channel', async () => {
  const { body } = await ada.post('/api/channels', { name: `moment-${made++}` })
  // More messages than one batch purges.
  const more = await transaction(databaseUrl, [
    `insert into messages (id, "channelId", "userId", content, seq, rev)
      select gen_random_uuid(), $1, $2, 'more', n, n from generate_series(1, 1500) n`,
    [body.id, ada.id],
  ])
  await more.commit()
  await db.updateTable('channels').set({ deletedAt: '2020-01-01' }).where('id', '=', body.id).execute()
  const other = await transaction(databaseUrl, [
    'delete from messages where id in (select id from messages where "channelId" = $1 limit 1000)',
    [body.id],
  ])
  const purging = purgeOnce(db)
  await untilLockWait(databaseUrl, 'delete from "messages"')
  await other.commit()
  expect(await purging).toBe(true)
  const left = db.selectFrom('messages').select('id').where('channelId', '=', body.id)
  expect(await left.execute()).toHaveLength(500)
  while (await purgeOnce(db));
  expect(await left.execute()).toEqual([])
})

test('a question stored but never passed to the assistant is answered once when it is sent again', async () => {
  const talk = (await cyd.post('/api/direct-messages', { userIds: ['assistant-bot'] })).body.id
  // The node died after the commit, before it passed the question on.
  const question = { channelId: talk, userId: cyd.id, content: 'yttrium?', clientId: 'asked' }
  const { message } = await parley.app.writer.send(question)
  const again = () => cyd.post('/api/messages', { channelId: talk, content: 'yttrium?', clientId: 'asked' })
  expect((await Promise.all([again(), again(), again()])).map(({ status }) => status)).toEqual([200, 200, 200])
  const answers = async () =>
    (await cyd.get(`/api/messages/channel/${talk}`)).body.filter(
      (it: Message) => it.clientId === `answer ${message.id}`,
    )
  await expect.poll(answers).toHaveLength(1)
  expect((await again()).status).toBe(200)
  await cyd.say(talk, 'and another')
  await expect.poll(async () => (await cyd.get(`/api/messages/channel/${talk}`)).body.length).toBe(4)
  expect(await answers()).toHaveLength(1)
})
