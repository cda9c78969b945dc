import { afterEach, expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { channelOf, importsOf, messagesOf } from '../../test/support/imported-workspace.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
const { db } = parley.app
const { newest, uploaded, undone, until } = importsOf(parley, olga)
const known = [ada.id, bob.id, eve.id]
await db.updateTable('users').set({ emailVerified: true }).where('id', 'in', known).execute()

/** Undoes the import that a test has left open. */
afterEach(async () => {
  const open = await newest()
  if (['accepted', 'undone', 'cancelled'].includes(open.state)) return
  await olga.delete(`/api/imports/${open.id}`)
  await until(['ready', 'reading'].includes(open.state) ? 'cancelled' : 'undone')
})

/** Ada, Bob and Eve in a public channel, Ada and Bob in a private one. */
const zulip = (uuid: string, messages: object[]): Record<string, string> => ({
  'realm.json': JSON.stringify({
    zerver_realm: [{ id: 1, uuid }],
    zerver_userprofile: [ada, bob, eve].map(({ email, username }, index) => ({
      ...{ id: index + 1, full_name: username, delivery_email: email, is_active: true },
    })),
    zerver_stream: [
      { id: 5, name: 'harbour', description: 'Boats', invite_only: false, creator: 1 },
      { id: 6, name: 'vault', description: 'Money', invite_only: true, creator: 1 },
    ],
    zerver_recipient: [
      { id: 50, type: 2, type_id: 5 },
      { id: 60, type: 2, type_id: 6 },
    ],
    zerver_subscription: [
      ...[1, 2, 3].map((user) => ({ recipient: 50, user_profile: user, active: true })),
      ...[1, 2].map((user) => ({ recipient: 60, user_profile: user, active: true })),
    ],
  }),
  'messages-000001.json': JSON.stringify({
    zerver_message: messages.map((it, index) => ({
      ...{ id: 100 + index, sender: 1, recipient: 50, content: `text ${index}`, date_sent: 1_706_000_000 + index },
      ...it,
    })),
  }),
})

const some = [
  { subject: 'Pier', content: 'quartz pier' },
  { subject: 'Pier', sender: 2, content: 'quartz reply' },
  // From somebody who has left the private channel.
  { subject: 'Rent', recipient: 60, sender: 3, content: 'quartz rent' },
  { subject: 'Rent', recipient: 60, sender: 2, content: 'quartz paid' },
  { subject: '', content: 'about #**harbour>pier**' },
]

const topics = (importId: string, as: unknown) => olga.post(`/api/imports/${importId}/topics`, { as })

async function imported(files: Record<string, string>, as: 'threads' | 'channels') {
  const { id } = await uploaded(files)
  expect((await topics(id, as)).status).toBe(200)
  expect((await until('ready')).plan?.topics?.as).toBe(as)
  expect((await olga.post(`/api/imports/${id}/start`)).status).toBe(200)
  return until('done')
}

test('the owner has topics read as channels, and as threads again', async () => {
  const first = await uploaded(zulip('acme', some))
  expect(first.plan).toMatchObject({
    topics: { count: 2, as: 'threads' },
    channels: { public: 1, private: 1 },
    replies: 2,
  })
  const changed = await topics(first.id, 'channels')
  expect(changed.body).toMatchObject({ state: 'reading', plan: first.plan })
  const { plan } = await until('ready')
  expect(plan).toMatchObject({ topics: { count: 2, as: 'channels' }, channels: { public: 2, private: 2 }, replies: 0 })
  // Whoever owns the workspace next may not read what the private channel was about.
  expect(plan?.channelList.map(({ name }) => name).sort()).toEqual(['harbour', 'harbour: Pier', 'vault'])
  await topics(first.id, 'threads')
  expect((await until('ready')).plan).toEqual(first.plan)
})

test('the channels of topics open to those who may read their channel, and to nobody else', async () => {
  const done = await imported(zulip('acme', some), 'channels')
  const pier = await channelOf(bob, 'harbour: Pier')
  expect((await messagesOf(bob, pier?.id)).map(({ content }: { content: string }) => content)).toEqual([
    'quartz pier',
    'quartz reply',
  ])
  const rent = await channelOf(ada, 'vault: Rent')
  expect(rent).toMatchObject({ kind: 'private' })
  const { members } = (await ada.get(`/api/channels/${rent?.id}/members`)).body
  expect(members.map(({ username }: { username: string }) => username).sort()).toEqual(['ada', 'bob'])
  for (const path of [`channels/${rent?.id}`, `messages/channel/${rent?.id}`])
    expect((await eve.get(`/api/${path}`)).status, path).toBe(404)
  expect(JSON.stringify((await eve.get('/api/search?q=quartz')).body)).not.toMatch(/rent|paid/)
  // She wrote nothing in this topic, and can join it.
  expect((await eve.get(`/api/channels/${pier?.id}`)).body).toMatchObject({ kind: 'public' })
  const about = await messagesOf(ada, (await channelOf(ada, 'harbour'))?.id)
  expect(about[0].content).toBe('about #harbour: Pier')
  await undone(done)
  expect(await channelOf(ada, 'harbour: Pier')).toBeUndefined()
})

test('an archive that was imported one way makes nothing twice the other way', async () => {
  const kept = async (as: 'threads' | 'channels', files: Record<string, string>) => {
    const done = await imported(files, as)
    expect((await olga.post(`/api/imports/${done.id}/accept`)).status).toBe(200)
  }
  const count = async () => {
    const { n } = await db
      .selectFrom('messages')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  for (const [first, second] of [
    ['threads', 'channels'],
    ['channels', 'threads'],
  ] as const) {
    const files = zulip(`twice-${first}`, some)
    await kept(first, files)
    const before = await count()
    const { id } = await uploaded(files)
    await topics(id, second)
    const { plan } = await until('ready')
    expect(plan?.channelList.every(({ isKnown }) => isKnown)).toBe(true)
    await olga.post(`/api/imports/${id}/start`)
    await until('done')
    expect(await count()).toBe(before)
    await olga.post(`/api/imports/${id}/accept`)
  }
})

test('a channel that was deleted here comes again, and the report says so', async () => {
  const files = zulip('deleted', [{ subject: 'Pier' }, { subject: 'Lunch' }])
  const done = await imported(files, 'channels')
  await olga.post(`/api/imports/${done.id}/accept`)
  const names = (done.plan?.channelList ?? []).map(({ newName }) => newName)
  const pier = names.find((name) => name.includes('Pier')) as string
  const deleted = await channelOf(ada, pier)
  expect((await ada.delete(`/api/channels/${deleted?.id}`)).status).toBe(204)
  const { id } = await uploaded(files)
  await topics(id, 'channels')
  const { plan } = await until('ready')
  expect(plan?.channelList.filter(({ isKnown }) => !isKnown).map(({ newName }) => newName)).toEqual([pier])
  await olga.post(`/api/imports/${id}/start`, { topics: 'channels' })
  await until('done')
  expect((await channelOf(ada, pier))?.id).not.toBe(deleted?.id)
})

test('an import that was changed in another tab does not start', async () => {
  const { id } = await uploaded(zulip('tabs', some))
  await topics(id, 'channels')
  await until('ready')
  const refused = await olga.post(`/api/imports/${id}/start`, { topics: 'threads' })
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'import_state' } } })
  expect((await newest()).state).toBe('ready')
  // Chosen twice, it is not read twice.
  expect((await topics(id, 'channels')).body.state).toBe('ready')
})

test('what can’t be read again is refused', async () => {
  const { id } = await uploaded(zulip('acme', [{ subject: '' }]))
  expect(await topics(id, 'channels')).toMatchObject({ status: 400, body: { error: { reason: 'noTopics' } } })
  expect((await topics(id, 'rooms')).status).toBe(400)
  expect((await olga.post('/api/imports/0199a1de-0000-7000-8000-000000000000/topics', { as: 'threads' })).status).toBe(
    404,
  )
  expect((await ada.post(`/api/imports/${id}/topics`, { as: 'threads' })).status).toBe(403)
  await olga.delete(`/api/imports/${id}`)
  expect(await topics(id, 'threads')).toMatchObject({ status: 409, body: { error: { code: 'import_state' } } })
})

test('more topics than people can read as channels stay threads', async () => {
  const many = Array.from({ length: limits.imports.topics + 1 }, (_, n) => ({ subject: `topic ${n}` }))
  const { id, plan } = await uploaded(zulip('many', many))
  expect(plan?.topics).toEqual({ count: limits.imports.topics + 1, as: 'threads' })
  const refused = await topics(id, 'channels')
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('tooManyTopics')
  expect((await newest()).state).toBe('ready')
})
