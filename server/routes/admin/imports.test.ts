import { expect, test } from 'vitest'
import { PICTURE } from '../../test/support/fixture.ts'
import {
  at,
  channelOf,
  channelsOf,
  contents,
  id,
  importsOf,
  lines,
  messagesOf,
  room,
  said,
  someone,
  upload,
  zipOf,
} from '../../test/support/imported-workspace.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
const { app } = parley
const { db } = app
const { newest, imported, until, uploaded, undone } = importsOf(parley, olga)

/** As if verified by their provider. */
const verify = (...people: Person[]) =>
  db
    .updateTable('users')
    .set({ emailVerified: true })
    .where(
      'id',
      'in',
      people.map((person) => person.id),
    )
    .execute()

test('who has the address of an account that never confirmed it is a decision of the owner', async () => {
  const { plan, id } = await uploaded()
  const byName = new Map(plan?.personList.map((person) => [person.username, person]))
  expect(byName.get('ada')).toMatchObject({ user: null, unproven: { id: ada.id, username: 'ada', name: 'Ada' } })
  expect(byName.get('mia')).toMatchObject({ user: null })
  expect(byName.get('mia')).not.toHaveProperty('unproven')
  // Those are listed first.
  expect(plan?.personList.map(({ unproven }) => unproven !== undefined)).toEqual([true, true, false, false])
  expect(JSON.stringify(plan?.personList)).not.toContain('emailVerified')
  expect((await olga.delete(`/api/imports/${id}`)).body.state).toBe('cancelled')
})

test('the owner previews an archive and imports it, and everybody finds their messages', async () => {
  await verify(ada, bob)
  const { plan, id: importId, format } = await uploaded()
  expect(format).toBe('parley')
  expect(plan).toMatchObject({
    ...{ people: 4, bots: 0, matched: 2, channels: { public: 1, private: 1, direct: 1 }, messages: 8, replies: 2 },
    ...{ reactions: 3, files: 1, fileBytes: PICTURE.length, firstAt: at(1), lastAt: at(46), omitted: [] },
  })
  expect(plan?.channelList[0]).toMatchObject({ name: 'general', newName: 'general-parley' })
  expect(plan?.personList.map(({ username, user }) => [username, user?.id ?? null])).toEqual([
    ['ada', ada.id],
    ['bob', bob.id],
    ['mia', null],
    ['gone', null],
  ])
  // Nothing is imported yet.
  expect(await channelOf(ada, 'general-parley')).toBeUndefined()
  const listener = await bob.listen()
  await listener.waitFor('ready')
  await olga.post(`/api/imports/${importId}/start`)
  expect(await until('done')).toMatchObject({ messages: 8, total: 8 })

  const general = await channelOf(bob, 'general-parley')
  expect(general).toMatchObject({ kind: 'public', unread: 0, mentions: 0, topic: 'about general', ownerId: ada.id })
  const messages = await messagesOf(bob, general?.id)
  expect(
    messages.map((it: { seq: number; content: string; createdAt: string }) => [it.seq, it.content, it.createdAt]),
  ).toEqual([
    [1, 'Good morning @bob', at(41)],
    [2, 'I was here, too', at(45)],
    [3, '@channel lunch', at(46)],
  ])
  expect(messages[0]).toMatchObject({
    ...{ replyCount: 2, lastReplyAt: at(44), mentions: [{ userId: bob.id, username: 'bob' }] },
    lastRepliers: [{ id: ada.id }, { id: bob.id }],
  })
  expect(messages[1]).toMatchObject({
    ...{ editedAt: at(45), reactionCounts: { '👍': 2 }, user: { username: 'gone' } },
    files: [{ name: 'cat.png', type: 'image/png', width: expect.any(Number), createdAt: at(5) }],
  })
  const picture = await parley.app.inject({ url: messages[1].files[0].url, headers: { cookie: bob.cookie } })
  expect(picture.rawPayload).toEqual(Buffer.from(PICTURE))
  const { body: replies } = await bob.get(`/api/threads/${messages[0].id}/messages`)
  expect(replies.slice(1).map(({ seq, content }: { seq: number; content: string }) => [seq, content])).toEqual([
    [1, 'first reply'],
    [2, 'second reply'],
  ])
  // Nobody is notified of anything.
  await listener.waitFor('channel:member_joined', ({ channelId }) => channelId === general?.id)
  expect(listener.all('message:created')).toEqual([])
  expect((await bob.get('/api/threads')).body.threads[0]).toMatchObject({ unread: 0 })
  // It works like any other channel.
  expect(await bob.say(general?.id as string, 'and now')).toMatchObject({ seq: 4 })
  const found = (await bob.get('/api/search?q=morning')).body
  expect(JSON.stringify(found)).toContain('Good morning')
})

test('private channels and direct messages stay with their people', async () => {
  const direct = (await channelsOf(bob)).find(({ kind, name }) => kind === 'direct' && name.includes('mia'))
  expect((await messagesOf(bob, direct?.id)).map(({ content }: { content: string }) => content)).toEqual([
    'quartz secret',
    'quartz answer',
  ])
  const board = await channelOf(ada, 'board')
  expect(board?.kind).toBe('private')
  for (const outsider of [eve, olga]) {
    expect((await channelsOf(outsider)).map(({ name }) => name)).not.toContain('board')
    for (const hidden of [board, direct]) {
      expect((await outsider.get(`/api/channels/${hidden?.id}`)).status).toBe(404)
      expect((await outsider.get(`/api/messages/channel/${hidden?.id}`)).status).toBe(404)
    }
    expect(JSON.stringify((await outsider.get('/api/search?q=quartz')).body)).not.toMatch(/budget|secret/)
  }
})

test('an imported person claims their account with the owner’s link, and nobody else can', async () => {
  const { people, total } = (await olga.get('/api/imports/people')).body
  expect([total, people.map((it: { username: string }) => it.username)]).toEqual([1, ['mia']])
  const [mia] = people
  const signUp = await parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    payload: { name: 'Eve again', username: 'eve2', email: 'mia@old.example', password: 'correct horse' },
  })
  expect([signUp.statusCode, signUp.json().code]).toEqual([409, 'IMPORTED_EMAIL'])
  for (const other of [ada, eve]) expect((await other.post(`/api/imports/people/${mia.id}/claim`)).status).toBe(403)
  expect((await olga.post(`/api/users/${mia.id}/password-reset`)).code).toBe('no_password')
  expect((await olga.post(`/api/imports/people/${ada.id}/claim`)).status).toBe(404)
  const { body: link } = await olga.post(`/api/imports/people/${mia.id}/claim`)
  const post = (url: string, payload: object) => parley.app.inject({ method: 'POST', url, payload })
  const used = await post('/api/auth/password-reset', { code: link.code, new: 'a staple of mia' })
  expect(used.json()).toEqual({ username: 'mia' })
  expect((await post('/api/auth/password-reset', { code: link.code, new: 'a staple of eve' })).statusCode).toBe(404)
  const signedIn = await post('/api/auth/sign-in/username', { username: 'mia', password: 'a staple of mia' })
  expect(signedIn.json().user.id).toBe(mia.id)
  expect((await olga.get('/api/imports/people')).body.total).toBe(0)
  expect((await olga.post(`/api/imports/people/${mia.id}/claim`)).status).toBe(404)
  const log = await db
    .selectFrom('audit_log')
    .select(['kind', 'actorId'])
    .where('kind', '=', 'person_claimed')
    .execute()
  expect(log).toEqual([{ kind: 'person_claimed', actorId: mia.id }])
})

test('importing the same archive twice creates no duplicates', async () => {
  const open = await newest()
  expect((await upload(app, olga, await zipOf(contents()))).body.error.code).toBe('import_open')
  expect((await olga.post(`/api/imports/${open.id}/accept`)).body.state).toBe('accepted')
  expect((await olga.delete(`/api/imports/${open.id}`)).code).toBe('import_state')
  const count = async () => {
    const of = (table: 'users' | 'channels' | 'messages' | 'files' | 'reactions') =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    return Promise.all((['users', 'channels', 'messages', 'files', 'reactions'] as const).map(of))
  }
  const before = await count()
  const second = await imported()
  expect(second.plan?.channelList.every(({ isKnown }) => isKnown)).toBe(true)
  expect(await count()).toEqual(before)
  await undone(second)
  expect(await count()).toEqual(before)
})

test('undo removes everything imported, and the archive can be imported again', async () => {
  const old = await channelsOf(bob)
  for (const channel of old.filter(({ name }) => /board|general-parley/.test(name)))
    await (channel.name === 'board' ? ada : ada).delete(`/api/channels/${channel.id}`)
  const first = await uploaded({
    ...contents(),
    'data/people.jsonl': lines(someone(7, 'kim'), someone(8, 'lee')),
    'data/channels.jsonl': lines(room(71, 'public', 'fresh', ['p7', 'p8'])),
    [`data/messages/${id(71)}.jsonl`]: lines(said(711, 71, 'p7', 'hello'), said(712, 71, 'p8', 'hello kim')),
  })
  await olga.post(`/api/imports/${first.id}/start`, { channels: [{ key: id(71), name: 'renamed' }] })
  await until('done')
  expect(await channelOf(eve, 'renamed')).toBeDefined()
  await undone(first)
  expect(await channelOf(eve, 'renamed')).toBeUndefined()
  const left = await db.selectFrom('users').select('id').where('username', 'in', ['kim', 'lee']).execute()
  expect(left).toEqual([])
  expect(await db.selectFrom('messages').select('id').where('content', '=', 'hello kim').execute()).toEqual([])
  const items = db.selectFrom('import_items').select('key').where('importId', '=', first.id)
  expect(await items.execute()).toEqual([])
})
