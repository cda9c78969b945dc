import sharp from 'sharp'
import { expect, test } from 'vitest'
import { MAX_AVATAR_BYTES } from '#contract/avatars'
import type { Message } from '#contract/messages'
import type { Profile } from '#contract/users'
import { sweepOnce } from '../../files/sweep-files.ts'
import { listen, type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const { db, storage } = parley.app

const picture = (background: string, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background } })
const png = (background: string) => picture(background).png().toBuffer()

function formWith(bytes: Buffer, name = 'file') {
  const form = new FormData()
  form.append(name, new Blob([new Uint8Array(bytes)]), 'me.png')
  return form
}
const set = (person: Person, bytes: Buffer) => person.put('/api/users/me/avatar', formWith(bytes))

/** Fetches a picture with the person's token. */
async function fetched(person: Person, url: string, headers: Record<string, string> = {}, address = parley.address) {
  const answer = await fetch(address + url, { headers: { authorization: `Bearer ${person.token}`, ...headers } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const urlOf = async (asking: Person, { id }: Person) =>
  ((await asking.get(`/api/users/${id}`)).body as Profile).avatarUrl
const sized = (url: string, side: number) => url.replace(/\d+$/, String(side))
async function storedKeys() {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys
}
const rowsOf = (person: Person) =>
  db.selectFrom('files').select(['id', 'state']).where('userId', '=', person.id).execute()

test('a picture is served in three sizes at URLs with its hash, and may be cached', async () => {
  const { status, body } = await set(ada, await png('#aa2200'))
  expect([status, body]).toEqual([200, { avatarUrl: expect.stringMatching(/^\/api\/avatars\/.+\/[0-9a-f]{32}\/256$/) }])
  expect(await urlOf(bob, ada)).toBe(body.avatarUrl)
  for (const side of [48, 96, 256]) {
    const answer = await fetched(bob, sized(body.avatarUrl, side))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(answer.headers.get('vary')).toContain('Cookie')
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ format: 'webp', width: side, height: side })
    const etag = answer.headers.get('etag') ?? ''
    expect(await fetched(bob, sized(body.avatarUrl, side), { 'if-none-match': etag })).toMatchObject({ status: 304 })
  }
  expect((await set(ada, await png('#aa2200'))).body).toEqual(body)
  expect((await set(ada, await png('#00aa22'))).body.avatarUrl).not.toBe(body.avatarUrl)
  expect((await fetched(bob, body.avatarUrl)).status).toBe(404)
  for (const url of [sized(body.avatarUrl, 64), body.avatarUrl.replace(/[0-9a-f]{32}/, 'x')])
    expect((await fetched(bob, url)).status).toBe(400)
})

test('a page loads pictures with its cookie; signed-out people get none', async () => {
  const { avatarUrl } = (await set(ada, await png('#123456'))).body
  const byCookie = await fetch(parley.address + avatarUrl, { headers: { cookie: ada.cookie } })
  expect(byCookie.status).toBe(200)
  expect((await fetch(parley.address + avatarUrl)).status).toBe(401)
})

test('a picture is cropped to the middle square, upright, on white and without metadata', async () => {
  const exif = { IFD0: { Make: 'A Camera' }, IFD3: { GPSLatitude: '48/1 51/1 30/1', GPSLatitudeRef: 'N' } }
  const left = await picture('#ff0000', 100, 200).png().toBuffer()
  // Red, green in the middle, red; rotated by 90°.
  const bytes = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#00ff00' } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: left, left: 300, top: 0 },
    ])
    .jpeg()
    .withExif(exif)
    .withMetadata({ orientation: 6, exif })
    .toBuffer()
  const { avatarUrl } = (await set(ada, bytes)).body
  const { bytes: stored } = await fetched(bob, avatarUrl)
  const metadata = await sharp(stored).metadata()
  expect([metadata.exif, metadata.xmp, metadata.orientation]).toEqual([undefined, undefined, undefined])
  expect(stored.includes('A Camera')).toBe(false)
  const { channels } = await sharp(stored).stats()
  expect(channels.map(({ mean }) => Math.round(mean / 64))).toEqual([0, 4, 0])

  const clear = await sharp({ create: { width: 60, height: 60, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer()
  const onWhite = await fetched(bob, (await set(ada, clear)).body.avatarUrl)
  const { data } = await sharp(onWhite.bytes).raw().toBuffer({ resolveWithObject: true })
  expect(data[0]).toBeGreaterThan(250)
})

/** A PNG that claims huge dimensions with hardly any data: decoding it would need gigabytes. */
async function bomb() {
  const bytes = await picture('#000', 8, 8).png().toBuffer()
  bytes.writeUInt32BE(50_000, 16)
  bytes.writeUInt32BE(50_000, 20)
  return bytes
}

test('files that are not pictures, too large or too expensive to decode are refused, and leave nothing behind', async () => {
  const { avatarUrl } = (await set(eve, await png('#445566'))).body
  const refused = { status: 400, code: 'invalid', body: { error: { fields: { file: expect.any(String) } } } }
  const wide = await picture('#000', 13_000, 5000).png({ compressionLevel: 9 }).toBuffer()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  for (const bytes of [
    await bomb(),
    wide,
    svg,
    Buffer.from('hello'),
    Buffer.alloc(0),
    (await png('#000')).subarray(0, 90),
  ])
    expect(await set(eve, bytes)).toMatchObject(refused)
  expect(await set(eve, Buffer.alloc(MAX_AVATAR_BYTES + 1))).toMatchObject({ status: 413, code: 'too_large' })
  expect(await eve.put('/api/users/me/avatar', new FormData())).toMatchObject({ status: 400 })
  expect(await eve.put('/api/users/me/avatar', formWith(await png('#000'), 'other'))).toMatchObject(refused)
  expect(await urlOf(bob, eve)).toBe(avatarUrl)
  expect((await rowsOf(eve)).map(({ state }) => state)).toEqual(['kept'])
})

test('changes and removals reach everybody on every node, and the old bytes are swept', async () => {
  const other = await serve(parley.databaseUrl)
  await untilPeers(parley, other)
  const [here, there] = [await eve.listen(), await listen(other.address, eve.token)]
  const { avatarUrl } = (await set(bob, await png('#778899'))).body
  const is = (url: string | null) => (it: { id: string; avatarUrl?: string | null | undefined }) =>
    it.id === bob.id && it.avatarUrl === url
  for (const listener of [here, there]) await listener.waitFor('user:updated', is(avatarUrl))
  expect((await fetched(eve, avatarUrl, {}, other.address)).status).toBe(200)
  const { body: sent }: { body: Message } = { body: await bob.say(await generalId(), 'with a face') }
  expect(sent.user).toEqual({ id: bob.id, username: bob.username, name: bob.name, color: expect.any(Number) })

  const { avatarUrl: second } = (await set(bob, await png('#998877'))).body
  for (const listener of [here, there]) await listener.waitFor('user:updated', is(second))
  expect((await bob.delete('/api/users/me/avatar')).status).toBe(204)
  for (const listener of [here, there]) await listener.waitFor('user:updated', is(null))
  expect(await urlOf(eve, bob)).toBe(null)
  expect((await fetched(eve, second)).status).toBe(404)
  expect((await bob.delete('/api/users/me/avatar')).status).toBe(204)

  const gone = (await rowsOf(bob)).map(({ id }) => id)
  await expect.poll(async () => [await sweepOnce(db, storage), (await rowsOf(bob)).length]).toEqual([false, 0])
  expect((await storedKeys()).filter((key) => gone.some((id) => key.includes(id)))).toEqual([])
})

const generalId = async () =>
  (await ada.get('/api/channels')).body.channels.find(({ name }: { name: string }) => name === 'general').id as string

test('removing a picture that is not there changes nothing for anybody', async () => {
  const kim = await parley.person('kim')
  const version = async () =>
    (await db.selectFrom('workspace').select('peopleVersion').executeTakeFirstOrThrow()).peopleVersion
  const before = await version()
  expect((await kim.delete('/api/users/me/avatar')).status).toBe(204)
  expect(await version()).toBe(before)
})

test('a guest sees the pictures of the people of their channels, and no others', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'with a guest', isPrivate: true })
  const { body: invite } = await ada.post('/api/invites', { guests: { channelIds: [channel.id], days: 3 } })
  const gil = await parley.person('gil', invite.code)
  const listener = await gil.listen()
  const { avatarUrl: known } = (await set(ada, await png('#010203'))).body
  const { avatarUrl: unknown } = (await set(bob, await png('#030201'))).body
  await listener.waitFor('user:updated', (it) => it.id === ada.id && it.avatarUrl === known)
  expect((await fetched(gil, known)).status).toBe(200)
  expect((await fetched(gil, unknown)).status).toBe(404)
  expect((await fetched(gil, (await set(gil, await png('#040404'))).body.avatarUrl)).status).toBe(200)
  expect(listener.all('user:updated').filter(({ id }) => id === bob.id)).toEqual([])
})

test('pictures count towards no quota, are not listed as files, and are deleted with their person', async () => {
  const zoe = await parley.person('zoe')
  const { avatarUrl } = (await set(zoe, await png('#0a0b0c'))).body
  expect((await zoe.get(`/api/files/user/${zoe.id}`)).body).toEqual([])
  const [row] = await rowsOf(zoe)
  expect((await zoe.get(`/api/files/${row?.id}/avatar.webp`)).status).toBe(404)
  await db.deleteFrom('avatars').where('userId', '=', zoe.id).execute()
  expect(await urlOf(bob, zoe)).toBe(null)
  expect((await fetched(bob, avatarUrl)).status).toBe(404)
  expect((await rowsOf(zoe)).map(({ state }) => state)).toEqual(['gone'])
})

test('of several pictures that a person sets concurrently, one remains', async () => {
  const max = await parley.person('max')
  const colors = await Promise.all(['#100', '#200', '#300', '#400'].map(png))
  const answers = await Promise.all(colors.map((bytes) => set(max, bytes)))
  // A busy machine may refuse some with 503.
  expect([200, 503]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)))
  const url = await urlOf(bob, max)
  expect((await rowsOf(max)).filter(({ state }) => state === 'kept')).toHaveLength(1)
  expect((await fetched(bob, url ?? '')).status).toBe(200)
})
