import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages'
import { sweepOnce } from '../../files/sweep-files.ts'
import { atEnd } from '../../test/support/cleanup.ts'
import { LINKED_SITE_SETTINGS, pngOf, startLinkedSite } from '../../test/support/linked-site.ts'
import { type Person, serve, startParley } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const { close, origin, page, pages, requests } = await startLinkedSite()
atEnd(close)
const parley = await startParley(LINKED_SITE_SETTINGS)
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const { db, storage } = parley.app

page(
  '/page',
  '<title>A page</title><meta name="description" content="About it"><meta property="og:image" content="/wide.png">',
)
page('/wide.png', await pngOf(1200, 600), 'image/png')

beforeEach(() => {
  requests.length = 0
})

let made = 0
/** A private channel of Ada's with Bob, but not Eve. */
const newChannel = async (): Promise<string> =>
  (await ada.post('/api/channels', { name: `links-${made++}`, isPrivate: true, members: [bob.id] })).body.id
const read = async (person: Person, { channelId, id }: Message): Promise<Message> =>
  (await person.get(`/api/messages/channel/${channelId}?around=${id}`)).body.find((it: Message) => it.id === id)
const settles = <T>(read: () => Promise<T>, isDone: (value: T) => boolean) =>
  vi.waitUntil(async () => isDone(await read()), { timeout: STATE_TIMEOUT_MS, interval: 20 }).then(read)
const untilPreviewed = (message: Message, count = 1) =>
  settles(
    () => read(bob, message),
    ({ previews }) => previews?.length === count,
  )
/** Long enough for a preview that must not come; another message's has come by then. */
async function untilOthersCame(channelId: string) {
  await untilPreviewed(await ada.say(channelId, `${origin}/page?${made++}`.replace(/\?\d+$/, '')))
  await sleep(100)
}
const filesOf = ({ id }: Pick<Message, 'id'>) =>
  db.selectFrom('files').select(['id', 'state']).where('messageId', '=', id).execute()
const remove = (person: Person, { id }: Message, url: string) =>
  person.delete(`/api/messages/${id}/previews?url=${encodeURIComponent(url)}`)

test('a link gets a preview with a picture, which members see and may load', async () => {
  const channelId = await newChannel()
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  const sent = await ada.say(channelId, `Look: ${origin}/page.`)
  expect(sent).not.toHaveProperty('previews')
  const event = await bobs.waitFor('message:updated', ({ id }) => id === sent.id)
  expect(event).toMatchObject({ rev: sent.rev + 1, editedAt: null, content: sent.content })
  expect(event.previews).toEqual([
    {
      url: `${origin}/page`,
      title: 'A page',
      description: 'About it',
      site: '127.0.0.1',
      picture: { url: expect.stringMatching(/^\/api\/previews\/[\w-]+$/), width: 1200, height: 600 },
    },
  ])
  expect(await read(bob, sent)).toMatchObject({ previews: event.previews })
  const url = event.previews?.[0]?.picture?.url as string
  const loaded = await parley.app.inject({ url, headers: { cookie: bob.cookie } })
  expect(loaded.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': expect.stringContaining('private'),
  })
  expect(await sharp(loaded.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 800, height: 400 })
  expect(await eve.get(url)).toMatchObject({ status: 404, code: 'not_found' })
  expect((await parley.app.inject({ url })).statusCode).toBe(401)
  expect(JSON.stringify(eves.events)).not.toContain(url)
  // Once they are removed, no longer.
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })
  expect(await bob.get(url)).toMatchObject({ status: 404 })
})

test('a reply gets one, too', async () => {
  const parent = await ada.say(await newChannel(), 'a question')
  const { body: reply } = await bob.post('/api/threads/messages', {
    parentMessageId: parent.id,
    content: `${origin}/page`,
  })
  const thread = async (): Promise<Message[]> => (await ada.get(`/api/threads/${parent.id}/messages`)).body
  await settles(thread, (all) => all.find(({ id }) => id === reply.id)?.previews?.length === 1)
})

test('up to three links, in their order, without those that say nothing', async () => {
  page('/first', '<title>First</title>')
  pages.set('/second', (response) =>
    setTimeout(() => response.setHeader('content-type', 'text/html').end('<title>Second</title>'), 150),
  )
  page('/nothing', '<p>no title')
  page('/only.png', await pngOf(200, 100), 'image/png')
  const links = ['second', 'nothing', 'first'].map((path) => `${origin}/${path}`)
  const message = await ada.say(await newChannel(), links.join(' '))
  const { previews } = await untilPreviewed(message, 2)
  expect(previews?.map(({ title }) => title)).toEqual(['Second', 'First'])
  const only = await untilPreviewed(await ada.say(await newChannel(), `${origin}/only.png`))
  expect(only.previews).toMatchObject([{ title: '', site: '127.0.0.1', picture: { width: 200, height: 100 } }])
})

test('the same link in a channel is fetched once; in another channel again', async () => {
  page('/cached', '<title>Cached</title>')
  const channelId = await newChannel()
  await untilPreviewed(await ada.say(channelId, `${origin}/cached`))
  await untilPreviewed(await bob.say(channelId, `${origin}/cached`))
  expect(requests.filter((path) => path === '/cached')).toHaveLength(1)
  await untilPreviewed(await ada.say(await newChannel(), `${origin}/cached`))
  expect(requests.filter((path) => path === '/cached')).toHaveLength(2)
})

test('the author removes a preview for everyone and for good; others may not', async () => {
  const channelId = await newChannel()
  const url = `${origin}/page`
  const message = await untilPreviewed(await ada.say(channelId, url))
  const [file] = await filesOf(message)
  expect(await remove(bob, message, url)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await remove(eve, message, url)).toMatchObject({ status: 404 })
  const bobs = await bob.listen()
  const removed = await remove(ada, message, url)
  expect(removed).toMatchObject({ status: 200, body: { rev: message.rev + 1 } })
  expect(removed.body).not.toHaveProperty('previews')
  expect(await bobs.waitFor('message:updated')).not.toHaveProperty('previews')
  expect(await bob.get(`/api/previews/${file?.id}`)).toMatchObject({ status: 404 })
  // A repeat changes nothing.
  expect((await remove(ada, message, url)).body).toEqual(removed.body)
  expect((await remove(ada, message, 'https://other.example/')).body).toEqual(removed.body)
  // Nor does an edit bring it back.
  await ada.put(`/api/messages/${message.id}`, { content: `again ${url}` })
  await ada.put(`/api/messages/${message.id}`, { content: 'without' })
  await ada.put(`/api/messages/${message.id}`, { content: `${url} once more` })
  await untilOthersCame(channelId)
  expect(await read(bob, message)).not.toHaveProperty('previews')
  expect(requests.filter((path) => path === '/page')).toHaveLength(1)
})

test('an edit drops the previews of links that are gone, and adds those of new ones', async () => {
  page('/other', '<title>Another</title>')
  const message = await untilPreviewed(await ada.say(await newChannel(), `${origin}/page`))
  const { body: edited } = await ada.put(`/api/messages/${message.id}`, { content: `${origin}/other` })
  expect(edited).not.toHaveProperty('previews')
  expect(await filesOf(message)).toEqual([])
  expect((await untilPreviewed(message)).previews).toMatchObject([{ title: 'Another' }])
  const { body: longer } = await ada.put(`/api/messages/${message.id}`, { content: `${origin}/page ${origin}/other` })
  expect(longer.previews).toHaveLength(1)
  expect((await untilPreviewed(message, 2)).previews).toMatchObject([{ title: 'A page' }, { title: 'Another' }])
})

test('a deleted message takes its picture along, also if it is deleted while it is fetched', async () => {
  const channelId = await newChannel()
  const message = await untilPreviewed(await ada.say(channelId, `${origin}/page`))
  const [file] = await filesOf(message)
  await ada.delete(`/api/messages/${message.id}`)
  expect(await read(bob, message)).not.toHaveProperty('previews')
  while (await sweepOnce(db, storage));
  expect(
    await db
      .selectFrom('files')
      .select('id')
      .where('id', '=', file?.id as string)
      .execute(),
  ).toEqual([])

  const answer = Promise.withResolvers<void>()
  pages.set(
    '/late',
    (response) =>
      void answer.promise.then(() => response.setHeader('content-type', 'text/html').end('<title>Late</title>')),
  )
  const late = await ada.say(channelId, `${origin}/late`)
  await vi.waitUntil(() => requests.includes('/late'))
  await ada.delete(`/api/messages/${late.id}`)
  answer.resolve()
  await untilOthersCame(channelId)
  expect(await read(bob, late)).not.toHaveProperty('previews')
})

test.each<[string, (channelId: string) => Promise<unknown>]>([
  ['the channel is archived', (id) => ada.put(`/api/channels/${id}/archive`, {})],
  ['its previews are turned off', (id) => ada.patch(`/api/channels/${id}`, { linkPreviews: false })],
  ['the author is removed', (id) => ada.post(`/api/channels/${id}/remove-member`, { userId: bob.id })],
])('no preview comes after %s', async (_, act) => {
  const answer = Promise.withResolvers<void>()
  const path = `/gap-${made}`
  pages.set(path, (response) =>
    answer.promise.then(() => response.setHeader('content-type', 'text/html').end('<title>Late</title>')),
  )
  const channelId = await newChannel()
  const message = await bob.say(channelId, `${origin}${path}`)
  await vi.waitUntil(() => requests.includes(path))
  expect(await act(channelId)).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
  answer.resolve()
  await untilOthersCame(await newChannel())
  expect(await read(ada, message)).not.toHaveProperty('previews')
})

test('removed previews do not pile up, and those of links that an older node took out are not shown', async () => {
  const message = await ada.say(await newChannel(), 'many')
  for (let i = 0; i < 12; i++) {
    page(`/${i}`, `<title>Page ${i}</title>`)
    await ada.put(`/api/messages/${message.id}`, { content: `${origin}/${i}` })
    await untilPreviewed(message)
    await remove(ada, message, `${origin}/${i}`)
  }
  const row = () => db.selectFrom('messages').select('previews').where('id', '=', message.id).executeTakeFirstOrThrow()
  expect((await row()).previews).toHaveLength(10)

  const edited = await untilPreviewed(await ada.say(await newChannel(), `${origin}/page`))
  await db.updateTable('messages').set({ content: 'without', rev: edited.rev }).where('id', '=', edited.id).execute()
  const { body: pinned } = await bob.put(`/api/messages/${edited.id}/pin`, {})
  expect(pinned).toMatchObject({ content: 'without' })
  expect(pinned).not.toHaveProperty('previews')
})

test('a channel or the workspace without previews fetches nothing; only admins and owners decide', async () => {
  const channelId = await newChannel()
  expect(await bob.patch(`/api/channels/${channelId}`, { linkPreviews: false })).toMatchObject({ status: 403 })
  expect((await ada.patch(`/api/channels/${channelId}`, { linkPreviews: false })).body).toMatchObject({
    linkPreviews: false,
  })
  const message = await ada.say(channelId, `${origin}/page`)
  await untilOthersCame(await newChannel())
  expect(await read(bob, message)).not.toHaveProperty('previews')
  await ada.patch(`/api/channels/${channelId}`, { linkPreviews: true })
  await untilPreviewed(await ada.say(channelId, `${origin}/page`))

  const rule = '/api/workspace/link-previews'
  expect(await bob.put(rule, { isOn: false })).toMatchObject({ status: 403 })
  expect((await ada.get(rule)).body).toEqual({ isOn: true, isFixed: false })
  expect((await ada.put(rule, { isOn: false })).body).toEqual({ isOn: false, isFixed: false })
  requests.length = 0
  const unseen = await ada.say(channelId, `${origin}/page`)
  await sleep(300)
  expect(requests).toEqual([])
  await ada.put(rule, { isOn: true })
  await untilOthersCame(channelId)
  expect(await read(bob, unseen)).not.toHaveProperty('previews')
})

test('the settings of the server come first, and its own pages have no previews', async () => {
  const off = await serve(parley.databaseUrl, { LINK_PREVIEWS: 'off' })
  const asAda = { authorization: `Bearer ${ada.token}` }
  const put = (url: string) => off.app.inject({ method: 'PUT', url, headers: asAda, payload: { isOn: true } })
  const answer = await put('/api/workspace/link-previews')
  expect(answer.statusCode).toBe(409)
  expect(answer.json().error).toMatchObject({ code: 'link_previews_fixed' })
  const rule = await off.app.inject({ url: '/api/workspace/link-previews', headers: asAda })
  expect(rule.json()).toEqual({ isOn: false, isFixed: true })

  const own = await serve(parley.databaseUrl, { ...LINKED_SITE_SETTINGS, PUBLIC_URL: origin })
  const channelId = await newChannel()
  const payload = { channelId, content: `${origin}/page` }
  const sent = await own.app.inject({ method: 'POST', url: '/api/messages', headers: asAda, payload })
  await untilOthersCame(channelId)
  expect(await read(bob, sent.json())).not.toHaveProperty('previews')
})

test('without a permission to reach it, a private host is not asked', async () => {
  const strict = await serve(parley.databaseUrl, { LINK_PREVIEWS: 'on' })
  const channelId = await newChannel()
  const payload = { channelId, content: `${origin}/first` }
  const headers = { authorization: `Bearer ${ada.token}` }
  await strict.app.inject({ method: 'POST', url: '/api/messages', headers, payload })
  await untilOthersCame(channelId)
  expect(requests).not.toContain('/first')
})

test('a stop ends what is being fetched', async () => {
  const other = await serve(parley.databaseUrl, LINKED_SITE_SETTINGS)
  pages.set('/never', () => {})
  const payload = { channelId: await newChannel(), content: `${origin}/never` }
  const headers = { authorization: `Bearer ${ada.token}` }
  await other.app.inject({ method: 'POST', url: '/api/messages', headers, payload })
  await vi.waitUntil(() => requests.includes('/never'))
  await other.app.close()
})
