import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type CustomEmoji, MAX_EMOJI_BYTES, MAX_EMOJI_UPLOAD_BYTES } from '#contract/custom-emoji'
import { limits } from '#contract/limits'
import { sweepOnce } from '../../files/sweep-files.ts'
import { longTest } from '../../test/support/long.ts'
import { listen, type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
// The first one owns the workspace.
const { olga, ada, bob } = await parley.people('olga', 'ada', 'bob')
const { db, storage } = parley.app

const png = (background: string, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** A GIF whose frames differ, as noise that cannot be compressed or as plain colours. */
function gif(frames: number, { isNoise = false, width = 200, height = 200 } = {}) {
  const raw = Buffer.alloc(width * height * frames * 3)
  let seed = 7
  for (let i = 0; i < raw.length; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    raw[i] = isNoise ? seed >> 16 : Math.floor(i / (width * height * 3)) * 20
  }
  const image = sharp(raw, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
  return image.gif({ delay: Array(frames).fill(80), loop: 0 }).toBuffer()
}

function formWith(bytes: Buffer) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'emoji.gif')
  return form
}
const add = async (person: Person, name: string, bytes?: Buffer) =>
  person.post(`/api/emoji/${encodeURIComponent(name)}`, formWith(bytes ?? (await png('#aa2200'))))
const list = async (person: Person): Promise<CustomEmoji[]> => (await person.get('/api/emoji')).body
const named = async (name: string, person = bob) => (await list(person)).find((it) => it.name === name)

async function fetched(person: Person, url: string, address = parley.address) {
  const answer = await fetch(address + url, { headers: { authorization: `Bearer ${person.token}` } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('an emoji is scaled down, listed with who added it, and served at a URL with its hash', async () => {
  const { status, body } = await add(ada, 'party_parrot')
  expect([status, body]).toEqual([
    201,
    {
      name: 'party_parrot',
      aliases: [],
      url: expect.stringMatching(/^\/api\/emoji\/pictures\/[0-9a-f]{32}\/still$/),
      stillUrl: body.url,
      createdAt: expect.any(String),
      by: expect.objectContaining({ id: ada.id, username: ada.username, name: ada.name }),
    },
  ])
  expect(await named('party_parrot')).toEqual(body)
  const picture = await fetched(bob, body.url)
  expect(picture.status).toBe(200)
  expect(picture.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'webp', width: 128, height: 85 })
  expect((await fetched(bob, body.url.replace('still', 'moving'))).status).toBe(404)
})

test('one that moves keeps its frames and their times, and has a still picture', async () => {
  const { body } = await add(ada, 'blink', await gif(6))
  expect(body.url).toBe(body.stillUrl.replace('still', 'moving'))
  const moving = await fetched(bob, body.url)
  expect(await sharp(moving.bytes, { animated: true }).metadata()).toMatchObject({
    ...{ format: 'webp', width: 128, pageHeight: 128, pages: 6, loop: 0 },
    delay: Array(6).fill(80),
  })
  const { pages = 1 } = await sharp((await fetched(bob, body.stillUrl)).bytes).metadata()
  expect(pages).toBe(1)
})

longTest(
  'an animation that is too large at 128 pixels becomes smaller, and one with too many frames is refused',
  async () => {
    const { status, body } = await add(ada, 'noise', await gif(30, { isNoise: true, width: 128, height: 128 }))
    expect(status).toBe(201)
    const { bytes } = await fetched(bob, body.url)
    expect(bytes.length).toBeLessThanOrEqual(MAX_EMOJI_BYTES)
    expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ width: 64, pages: 30 })
    const long = await gif(151, { width: 8, height: 8 })
    const wide = await gif(100, { width: 498, height: 280 })
    for (const bytes of [long, wide])
      expect(await add(ada, 'too-much', bytes)).toMatchObject({
        ...{ status: 400, code: 'invalid' },
        body: { error: { problems: { file: { reason: 'movesTooLong' } } } },
      })
  },
)

test('what is not a small picture is refused, and nothing is left of it', async () => {
  const reasonOf = async (bytes: Buffer) => {
    const { status, body } = await add(ada, 'broken', bytes)
    return [status, body.error.problems?.file?.reason ?? body.error.reason]
  }
  expect(await reasonOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual([400, 'notAPicture'])
  expect(await reasonOf((await png('#fff')).subarray(0, 100))).toEqual([400, 'notAPicture'])
  expect(await reasonOf(await png('#fff', 12_000, 12_000))).toEqual([400, 'notAPicture'])
  expect(await reasonOf(Buffer.alloc(MAX_EMOJI_UPLOAD_BYTES + 1))).toEqual([413, 'fileTooLarge'])
  expect(await named('broken')).toBeUndefined()
})

test.each([
  'a',
  'Großes Wort',
  ':x:',
  `a${'\u0301'.repeat(5)}`,
  'x'.repeat(33),
  '-dash',
  'a b',
  '😀😀',
  '../x',
  'ß\u0000',
])('the name %o is refused', async (name) => {
  expect((await add(ada, name)).status).toBe(400)
})

test('names become lower case, may be of any script, and are no standard emoji’s', async () => {
  expect((await add(ada, 'ShipIt')).body.name).toBe('shipit')
  for (const name of ['了解です', 'サーバー', 'สวัสดีๆ', 'مرحـبا']) expect((await add(ada, name)).status).toBe(201)
  expect(await add(ada, 'shipit')).toMatchObject({ status: 409, code: 'name_taken' })
  for (const standard of ['smile', '100', 'thumbsup', 'tada'])
    expect(await add(ada, standard)).toMatchObject({ status: 409, code: 'name_taken' })
})

test('two people who take one name at the same time: one of them gets it', async () => {
  const answers = await Promise.all([ada, bob, olga].map((person) => add(person, 'contested')))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('a further name means the same, and removing it leaves the emoji', async () => {
  await add(ada, 'lgtm')
  const { status, body } = await bob.post('/api/emoji/lgtm/aliases', { alias: 'Looks-Good' })
  expect([status, body.aliases]).toEqual([201, ['looks-good']])
  expect(await add(ada, 'looks-good')).toMatchObject({ status: 409, code: 'name_taken' })
  expect(await bob.post('/api/emoji/looks-good/aliases', { alias: 'lg' })).toMatchObject({
    body: { name: 'lgtm', aliases: ['lg', 'looks-good'] },
  })
  for (let n = 0; n < limits.emoji.aliases - 2; n++) await bob.post('/api/emoji/lgtm/aliases', { alias: `lg-${n}` })
  expect(await bob.post('/api/emoji/lgtm/aliases', { alias: 'lg-more' })).toMatchObject({
    ...{ status: 409, code: 'too_many_emoji' },
  })
  // Whoever may add names may take back those that others gave.
  expect((await ada.delete('/api/emoji/looks-good')).status).toBe(204)
  expect((await named('lgtm'))?.aliases).not.toContain('looks-good')
})

test('a reaction and a status store the first name; unknown ones are refused, removed ones remain', async () => {
  await add(ada, 'wave-hello')
  await ada.post('/api/emoji/wave-hello/aliases', { alias: 'hello-wave' })
  const { body: channel } = await ada.post('/api/channels', { name: 'greetings', members: [bob.id] })
  const { id } = await ada.say(channel.id, 'hi')
  const url = `/api/messages/${id}/reactions`
  expect((await bob.post(url, { emoji: ':hello-wave:' })).body).toMatchObject({ ':wave-hello:': [{ id: bob.id }] })
  expect(await bob.post(url, { emoji: ':nothing-here:' })).toMatchObject({
    ...{ status: 400, code: 'invalid' },
    body: { error: { problems: { emoji: { reason: 'noSuchEmoji' } } } },
  })
  expect((await bob.post(url, { emoji: ':Not one:' })).status).toBe(400)
  expect((await bob.put('/api/users/status', { user_status: ':hello-wave:' })).body.user_status).toBe(':wave-hello:')
  expect((await bob.put('/api/users/status', { user_status: ':nothing-here:' })).status).toBe(400)
  expect((await bob.delete(`${url}/${encodeURIComponent(':Hello-Wave:')}`)).body).toEqual({})
  expect((await bob.post(url, { emoji: ':Wave-Hello:' })).body).toMatchObject({ ':wave-hello:': [{ id: bob.id }] })

  expect((await ada.delete('/api/emoji/wave-hello')).status).toBe(204)
  expect((await ada.get(url)).body).toMatchObject({ ':wave-hello:': [{ id: bob.id }] })
  expect((await ada.get(`/api/users/${bob.id}`)).body.user_status).toBe(':wave-hello:')
  const text = { user_status: ':wave-hello:', text: 'Away' }
  expect((await bob.put('/api/users/status', text)).body).toMatchObject({
    user_status: ':wave-hello:',
    statusText: 'Away',
  })
  expect((await ada.put('/api/users/status', text)).status).toBe(400)
  expect((await bob.delete(`${url}/${encodeURIComponent(':wave-hello:')}`)).body).toEqual({})
})

test('whoever added one and admins remove it, others do not; its bytes are swept', async () => {
  const { body } = await add(ada, 'brief', await png('#123456'))
  expect(await bob.delete('/api/emoji/brief')).toMatchObject({ status: 403, code: 'forbidden' })
  expect((await ada.delete('/api/emoji/brief')).status).toBe(204)
  expect(await ada.delete('/api/emoji/brief')).toMatchObject({ status: 404, code: 'not_found' })
  expect((await fetched(bob, body.url)).status).toBe(404)
  await add(bob, 'brief')
  expect((await olga.delete('/api/emoji/brief')).status).toBe(204)
  const files = () => db.selectFrom('files').select('id').where('name', '=', 'emoji.webp').where('state', '=', 'gone')
  expect(await files().execute()).not.toEqual([])
  await sweepOnce(db, storage)
  expect(await files().execute()).toEqual([])
  const { body: log } = await olga.get('/api/audit?topic=people')
  const lines = log.entries.map(
    ({ kind, details }: { kind: string; details: { emoji?: string } }) => `${kind} ${details.emoji}`,
  )
  expect(lines.slice(0, 4)).toEqual([
    'emoji_removed brief',
    'emoji_added brief',
    'emoji_removed brief',
    'emoji_added brief',
  ])
})

test('guests see and use emoji, without learning who added them, and add none', async () => {
  await add(ada, 'welcome')
  const { body: room } = await olga.post('/api/channels', { name: 'guests', members: [bob.id] })
  const { body: invite } = await olga.post('/api/invites', { guests: { channelIds: [room.id], days: 30 } })
  const gil = await parley.person('gil', invite.code)
  const seen = await named('welcome', gil)
  expect(seen).toMatchObject({ name: 'welcome' })
  expect(seen).not.toHaveProperty('by')
  expect((await fetched(gil, seen?.url ?? '')).status).toBe(200)
  // Before its picture is read, which takes a while.
  expect(await add(gil, 'guests-own', Buffer.from('nothing'))).toMatchObject({ status: 403, code: 'forbidden' })
  expect((await gil.post('/api/emoji/welcome/aliases', { alias: 'hi-there' })).status).toBe(403)
  const { id } = await bob.say(room.id, 'hello')
  expect((await gil.post(`/api/messages/${id}/reactions`, { emoji: ':welcome:' })).status).toBe(200)
})

test('people connected to another node hear of a change, and find it there', async () => {
  const other = await serve(parley.databaseUrl)
  await untilPeers(parley, other)
  const listener = await listen(other.address, bob.token)
  const { body } = await add(ada, 'far-away')
  await listener.waitFor('emoji:changed')
  const answer = await fetch(`${other.address}/api/emoji`, { headers: { authorization: `Bearer ${bob.token}` } })
  expect(await answer.json()).toContainEqual(body)
})
