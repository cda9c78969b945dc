import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { StoredFile } from '#contract/files'
import { startBucket } from '../../test/services/bucket.ts'
import { PICTURE } from '../../test/support/fixture.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const TEXT = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join('')

describe.each(['disk', 's3'])('on %s', (store) => {
  let parley: Awaited<ReturnType<typeof startParley>>
  let ada: Person
  let bob: Person
  let eve: Person
  let channelId: string
  let file: StoredFile
  let picture: StoredFile

  beforeAll(async () => {
    const settings = store === 's3' ? (await startBucket()).settings() : {}
    parley = await startParley(settings)
    ada = await parley.person('ada')
    bob = await parley.person('bob')
    eve = await parley.person('eve')
    channelId = (await ada.post('/api/channels', { name: 'kitchen', isPrivate: true, members: [bob.id] })).body.id
    file = (await ada.upload(channelId, 'lines.txt', TEXT)).body
    picture = (await ada.upload(channelId, 'dot.png', PICTURE)).body
  })

  const get = (url: string, headers: Record<string, string> = {}, as: Person | undefined = ada) =>
    fetch(parley.address + url, { headers: { ...(as && { authorization: `Bearer ${as.token}` }), ...headers } })
  const status = async (url: string, as?: Person, headers = {}) =>
    (await fetch(parley.address + url, { headers: as ? { authorization: `Bearer ${as.token}` } : headers })).status

  test('only current readers of its channel can fetch a file or its thumbnail, by token or by cookie', async () => {
    const cyd = await parley.person('cyd')
    await ada.post(`/api/channels/${channelId}/invite`, { userId: cyd.id })
    for (const url of [file.url, picture.url, picture.thumbnailUrl as string]) {
      expect(await status(url, cyd)).toBe(200)
      expect(await status(url, undefined, { cookie: cyd.cookie })).toBe(200)
    }
    await ada.post(`/api/channels/${channelId}/remove-member`, { userId: cyd.id })
    for (const url of [file.url, picture.url, picture.thumbnailUrl as string])
      for (const [person, expected] of [
        [cyd, 404],
        [eve, 404],
        [bob, 200],
      ] as const) {
        expect(await status(url, person)).toBe(expected)
        expect(await status(url, undefined, { cookie: person.cookie })).toBe(expected)
        // Access is checked even if the client's copy is current.
        const etag = `"${file.id}"`
        if (expected === 404) expect((await get(url, { 'if-none-match': etag }, person)).status).toBe(404)
      }
    for (const url of [file.url, picture.thumbnailUrl as string]) {
      expect(await status(url)).toBe(401)
      expect(await status(`${url}?token=${ada.token}`)).toBe(401)
      expect(await status(url, undefined, { cookie: 'parley.session_token=made.up' })).toBe(401)
      expect(await status(url, undefined, { cookie: ada.cookie, authorization: 'Bearer nonsense' })).toBe(401)
    }
    // Only routes that stream files accept the cookie.
    expect(await status('/api/files', undefined, { cookie: ada.cookie })).toBe(401)
    const deleted = await fetch(`${parley.address}/api/files/${file.id}`, {
      method: 'DELETE',
      headers: { cookie: ada.cookie },
    })
    expect(deleted.status).toBe(401)
  })

  test('an ended session cannot fetch files, by token or by cookie', async () => {
    const zed = await parley.person('zed')
    const { body } = await zed.upload(undefined, 'x.txt')
    expect(await status(body.url, undefined, { cookie: zed.cookie })).toBe(200)
    const headers = { cookie: zed.cookie, origin: parley.address, 'content-type': 'application/json' }
    await fetch(`${parley.address}/api/auth/sign-out`, { method: 'POST', headers, body: '{}' })
    await expect.poll(() => status(body.url, undefined, { cookie: zed.cookie })).toBe(401)
    expect(await status(body.url, zed)).toBe(401)
    const gus = await parley.person('gus')
    expect(await status(body.url, undefined, { cookie: gus.cookie })).toBe(200)
    await ada.put(`/api/users/${gus.id}/deactivation`, {})
    await expect.poll(() => status(body.url, undefined, { cookie: gus.cookie })).toBe(401)
  })

  test('an image is served inline in a sandbox, and a cached copy is not sent again', async () => {
    const answer = await get(picture.url)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PICTURE.length),
      'content-disposition': `inline; filename="dot.png"; filename*=UTF-8''dot.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
      // A browser's cache must not serve one session's file to another.
      vary: 'Cookie, Authorization',
      'accept-ranges': 'bytes',
      etag: `"${picture.id}"`,
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(PICTURE)).toBe(true)
    for (const held of [`"${picture.id}"`, `W/"${picture.id}"`, `"x", "${picture.id}"`, '*']) {
      const again = await get(picture.url, { 'if-none-match': held })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    expect((await get(picture.url, { 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get(picture.url, { 'if-none-match': '*' })).headers.get('vary')).toBe('Cookie, Authorization')
    const thumbnail = await get(picture.thumbnailUrl as string)
    expect(thumbnail.headers.get('content-type')).toBe('image/webp')
    expect(thumbnail.headers.get('vary')).toBe('Cookie, Authorization')
  })

  test.each([
    ['bytes=0-9', 206, 0, 9],
    ['bytes=100-', 206, 100, TEXT.length - 1],
    ['bytes=-5', 206, TEXT.length - 5, TEXT.length - 1],
    ['bytes=5-99999999999999999999', 206, 5, TEXT.length - 1],
    ['bytes=-99999999', 206, 0, TEXT.length - 1],
    [`bytes=${TEXT.length}-`, 416],
    ['bytes=-0', 416],
    ['bytes=0-1,3-4', 416],
    [`bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join()}`, 416],
    ['bytes=9-5', 200],
    ['bytes=--5', 200],
    ['bytes=a-b', 200],
    ['lines=0-9', 200],
    ['', 200],
  ])('range %.30s answers %i', async (range, expected, start = 0, end = TEXT.length - 1) => {
    const answer = await get(file.url, { range })
    expect(answer.status).toBe(expected)
    if (expected === 416) {
      expect(answer.headers.get('content-range')).toBe(`bytes */${TEXT.length}`)
      return expect(await answer.json()).toMatchObject({ error: { code: 'bad_range' } })
    }
    expect(await answer.text()).toBe(TEXT.slice(start, end + 1))
    expect(answer.headers.get('content-length')).toBe(String(end + 1 - start))
    expect(answer.headers.get('content-range')).toBe(expected === 206 ? `bytes ${start}-${end}/${TEXT.length}` : null)
  })

  test('a refusal is JSON, whatever the Accept header', async () => {
    for (const url of [picture.url, picture.thumbnailUrl as string, file.url]) {
      const { status, headers } = await get(url, { range: 'bytes=99999999-' })
      const values = ['content-type', 'content-disposition', 'etag'].map((name) => headers.get(name))
      expect([status, ...values]).toEqual([416, 'application/json; charset=utf-8', null, null])
    }
  })

  test('an interrupted download resumes where it stopped, if the file is unchanged', async () => {
    const { hostname, port, host } = new URL(parley.address)
    const { body: big } = await ada.upload(channelId, 'big.bin', new Uint8Array(4_000_000).fill(7))
    const received = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.write(`GET ${big.url} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${ada.token}\r\n\r\n`)
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        if (text.length > 200_000) socket.destroy()
      })
      socket.on('close', () => resolve(text))
    })
    // The content-length was sent, so no client mistakes a part for the whole.
    expect(received).toMatch(/content-length: 4000000\r\n/i)
    const had = received.length - received.indexOf('\r\n\r\n') - 4
    const etag = `"${big.id}"`
    const rest = await get(big.url, { range: `bytes=${had}-`, 'if-range': etag })
    expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, 4_000_000 - had])
    const other = await get(big.url, { range: `bytes=${had}-`, 'if-range': '"another"' })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, 4_000_000])
  })

  test('HEAD returns everything but the bytes; an empty file can be downloaded', async () => {
    const head = await fetch(parley.address + file.url, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(TEXT.length)])
    const { body: empty } = await ada.upload(channelId, 'empty.txt', '')
    expect(empty.size).toBe(0)
    const answer = await get(empty.url)
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  test('missing or truncated bytes never produce half a response', async () => {
    const { body } = await ada.upload(channelId, 'lost.txt', 'some bytes')
    await parley.app.storage.remove([`${body.id.slice(-2)}/${body.id}`])
    expect((await get(body.url)).status).toBe(404)
    const { body: short } = await ada.upload(channelId, 'short.txt', 'some bytes')
    await parley.app.db.updateTable('files').set({ size: 11 }).where('id', '=', short.id).execute()
    expect((await get(short.url)).status).toBe(404)
  })
})

test('with X_ACCEL_REDIRECT only current readers of a channel learn where nginx finds its files', async () => {
  const { person, address } = await startParley({ X_ACCEL_REDIRECT: '/stored-files/' })
  const [ada, bob, eve] = [await person('ada'), await person('bob'), await person('eve')]
  const { body: channel } = await ada.post('/api/channels', { name: 'kitchen', isPrivate: true, members: [bob.id] })
  const { body: picture } = await ada.upload(channel.id, 'dot.png', PICTURE)
  const answers = async (headers: Record<string, string>) => {
    const responses = await Promise.all(
      [picture.url, picture.thumbnailUrl].map((url) => fetch(address + url, { headers })),
    )
    return responses.map((it) => [it.status, it.headers.get('x-accel-redirect')])
  }
  const ways = ({ token, cookie }: Person) => [{ authorization: `Bearer ${token}` }, { cookie }]
  for (const reader of [ada, bob])
    for (const headers of ways(reader)) {
      const led = [200, expect.stringMatching(/^\/stored-files\/./)]
      expect(await answers(headers)).toEqual([led, led])
    }
  await ada.post(`/api/channels/${channel.id}/remove-member`, { userId: bob.id })
  for (const outsider of [bob, eve])
    for (const headers of ways(outsider)) {
      const refused = [404, null]
      expect(await answers(headers)).toEqual([refused, refused])
    }
  expect(await answers({})).toEqual([
    [401, null],
    [401, null],
  ])
})
