import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/errors'
import type { StoredFile } from '#contract/files'
import { limits } from '#contract/limits'
import { startBucket } from '../../test/services/bucket.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const MB = 1024 * 1024

/** The parts of a form before and after the bytes of its file. */
const formAround = (name: string, type = 'application/octet-stream', fields: Record<string, string> = {}) => ({
  head: [
    ...Object.entries(fields).map(
      ([field, value]) => `--edge\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    ),
    `--edge\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  ].join(''),
  tail: '\r\n--edge--\r\n',
})

describe.each(['disk', 's3'])('on %s', (store) => {
  let parley: Awaited<ReturnType<typeof startParley>>
  let ada: Person
  let bob: Person
  let eve: Person
  let channelId: string

  beforeAll(async () => {
    const settings = store === 's3' ? (await startBucket()).settings() : {}
    parley = await startParley({ MAX_FILE_SIZE: '8MB', FILE_QUOTA: '40MB', ...settings })
    ada = await parley.person('ada')
    bob = await parley.person('bob')
    eve = await parley.person('eve')
    channelId = (await ada.post('/api/channels', { name: 'kitchen', isPrivate: true, members: [bob.id] })).body.id
  })

  const stored = () => parley.app.db.selectFrom('files').select(['id', 'state', 'size']).execute()
  const keys = async () => {
    const found = []
    for await (const { key } of parley.app.storage.list()) found.push(key)
    return found
  }
  const post = (body: FormData | string | ReadableStream, headers: Record<string, string> = {}, as = ada) =>
    fetch(`${parley.address}/api/files/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as.token}`, ...headers },
      body,
      duplex: 'half',
    } as RequestInit)
  const raw = (form: { head: string; tail: string }, bytes = 'bytes') =>
    post(form.head + bytes + form.tail, { 'content-type': 'multipart/form-data; boundary=edge' })

  // Refused uploads left nothing behind: only successful ones are stored.
  afterEach(async () => {
    // The rows of discarded files are deleted once the storage has confirmed it.
    await expect.poll(async () => (await stored()).every(({ state }) => state === 'ready')).toBe(true)
    const files = await stored()
    const named = new Set(files.map(({ id }) => id))
    expect((await keys()).filter((key) => !named.has(key.slice(3, 39)))).toEqual([])
  })

  test('an upload answers with the file, and its bytes can be downloaded', async () => {
    const { status, body } = await ada.upload(channelId, 'plan.txt', 'the plan')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'plan.txt',
      type: 'text/plain',
      size: 8,
      url: `/api/files/${body.id}/plan.txt`,
      thumbnailUrl: null,
      width: null,
      height: null,
      userId: ada.id,
      channelId,
      messageId: null,
      createdAt: expect.stringMatching(/Z$/),
    })
    const answer = await parley.app.inject({ url: body.url, headers: { authorization: `Bearer ${bob.token}` } })
    expect([answer.statusCode, answer.body]).toEqual([200, 'the plan'])
  })

  test('an upload to a channel I am not in is refused; one without a channel is open to everyone', async () => {
    expect(await eve.upload(channelId, 'x.txt')).toMatchObject({ status: 404, code: 'not_found' })
    const { body: open } = await ada.post('/api/channels', { name: `open on ${store}` })
    expect(await eve.upload(open.id, 'x.txt')).toMatchObject({ status: 403, code: 'not_a_member' })
    const { body: bucket } = await eve.get('/api/channels/public')
    expect((await eve.upload(undefined, 'for all.txt')).body).toMatchObject({ channelId: bucket.id })
    expect((await eve.upload(bucket.id, 'for all.txt')).status).toBe(201)
    // If the field comes after the file, the bytes are stored first and discarded.
    const form = new FormData()
    form.append('file', new Blob(['x']), 'late.txt')
    form.append('channelId', channelId)
    expect((await post(form, {}, eve)).status).toBe(404)
    expect((await post(form, {}, ada)).status).toBe(201)
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\CON', 'CON'],
    ['..', 'file'],
    ['evil\u202egnp.exe', 'evilgnp.exe'],
    ['zero\u200bwidth\u0000.txt', 'zerowidth.txt'],
    ['Übersicht 👩‍🚀.pdf', 'Übersicht 👩‍🚀.pdf'],
    [`${'x'.repeat(5000)}.tar`, `${'x'.repeat(limits.fileName - 4)}.tar`],
    ['%2e%2e%2fx', '%2e%2e%2fx'],
    ["it's <b>bold</b>.txt", 'b>.txt'],
  ])('file name %j is stored as %j', async (name, stored) => {
    const { status, body } = await ada.upload(channelId, name, 'bytes')
    expect([status, body.name]).toEqual([201, stored])
    const answer = await fetch(parley.address + body.url, { headers: { authorization: `Bearer ${ada.token}` } })
    expect(await answer.text()).toBe('bytes')
    const header = answer.headers.get('content-disposition') ?? ''
    expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.~!%#$&+^`|-]+$/)
    expect(decodeURIComponent(header.split("''")[1] as string)).toBe(stored)
  })

  test.each([
    ['a page that claims to be a picture', 'x.png', 'image/png', '<script>alert(1)</script>', 'text/plain'],
    ['a drawing with a script', 'x.svg', 'image/svg+xml', '<svg onload="alert(1)"/>', 'image/svg+xml'],
    ['a page', 'x.html', 'text/html', '<!doctype html><script>alert(1)</script>', 'text/html'],
    ['XML', 'x.xml', 'image/png', '<?xml version="1.0"?><x/>', 'application/xml'],
    ['a PDF that claims to be a picture', 'x.png', 'image/png', '%PDF-1.7\n%âãÏÓ\n', 'application/pdf'],
    ['nonsense of a type', 'x', 'image/png"; <b>', 'hello', 'text/plain'],
    ['bytes of an unknown type', 'x.mp4', 'video/mp4', '\u0001\u0000\u0002', 'application/octet-stream'],
  ])('%s is never rendered inline', async (_, name, type, bytes, detected) => {
    const form = new FormData()
    form.append('channelId', channelId)
    form.append('file', new Blob([bytes], { type }), name)
    const file = (await (await post(form)).json()) as StoredFile
    expect(file.type).toBe(detected)
    const { headers } = await parley.app.inject({ url: file.url, headers: { authorization: `Bearer ${ada.token}` } })
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'content-disposition': expect.stringMatching(/^attachment;/),
    })
  })

  test('an upload over the size limit is refused with or without a content-length, and the connection stays usable', async () => {
    const limit = { status: 413, code: 'too_large' }
    expect(await ada.upload(channelId, 'big', new Uint8Array(9 * MB))).toMatchObject(limit)
    const { head, tail } = formAround('big', 'text/plain', { channelId })
    let sent = 0
    const unsaid = new ReadableStream({
      pull(to) {
        to.enqueue(sent === 0 ? new TextEncoder().encode(head) : new Uint8Array(MB))
        if (++sent < 12) return
        to.enqueue(new TextEncoder().encode(tail))
        to.close()
      },
    })
    expect((await post(unsaid, { 'content-type': 'multipart/form-data; boundary=edge' })).status).toBe(413)
    expect((await ada.upload(channelId, 'exact', new Uint8Array(8 * MB))).status).toBe(201)
  })

  test.each([
    ['no boundary', { 'content-type': 'multipart/form-data' }, 'x'],
    ['no form', { 'content-type': 'application/json' }, '{}'],
    ['an empty form', { 'content-type': 'multipart/form-data; boundary=edge' }, ''],
    ['a form without an end', { 'content-type': 'multipart/form-data; boundary=edge' }, formAround('x').head],
    ['garbage', { 'content-type': 'multipart/form-data; boundary=edge' }, 'x'.repeat(100_000)],
    [
      'too many fields',
      { 'content-type': 'multipart/form-data; boundary=edge' },
      formAround('x', 'x', Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 'x']))).head,
    ],
    [
      'no file',
      { 'content-type': 'multipart/form-data; boundary=edge' },
      '--edge\r\nContent-Disposition: form-data; name="x"\r\n\r\nx\r\n--edge--\r\n',
    ],
    [
      'a file field with another name',
      { 'content-type': 'multipart/form-data; boundary=edge' },
      '--edge\r\nContent-Disposition: form-data; name=""; filename="x"\r\n\r\nx\r\n--edge--\r\n',
    ],
    [
      'a name of the machine',
      { 'content-type': 'multipart/form-data; boundary=edge' },
      '--edge\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--edge--\r\n',
    ],
  ])('an upload with %s is refused', async (_, headers, body) => {
    const answer = await post(body, headers)
    expect([400, 413]).toContain(answer.status)
    expect(((await answer.json()) as ErrorReply).error.code).toMatch(/^(invalid|too_large)$/)
  })

  test('two files in one form are refused, and neither is stored', async () => {
    const form = new FormData()
    for (const name of ['a', 'b']) form.append('file', new Blob([name]), name)
    expect((await post(form)).status).toBeGreaterThanOrEqual(400)
  })

  test('a form with only a file keeps its name', async () => {
    const { head, tail } = formAround('Grüße \\"an\\" alle.txt', 'text/plain', { channelId })
    const answer = await raw({ head, tail })
    expect(answer.status).toBe(201)
    expect(((await answer.json()) as StoredFile).name).toContain('an')
  })

  test('an upload interrupted halfway leaves nothing behind, and its retry stores one file', async () => {
    const before = (await stored()).length
    for (const sent of [100, 6 * MB]) {
      const { host, port, hostname } = new URL(parley.address)
      const { head } = formAround('cut.bin', 'x/y', { channelId })
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST /api/files/upload HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${ada.token}\r\n` +
          `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${7 * MB}\r\n\r\n${head}`,
      )
      await new Promise((resolve) => socket.write(Buffer.alloc(sent), resolve))
      await expect.poll(async () => (await stored()).filter(({ state }) => state === 'pending').length).toBe(1)
      expect(
        (await bob.get(`/api/files/channel/${channelId}`)).body.map((it: { name: string }) => it.name),
      ).not.toContain('cut.bin')
      socket.destroy()
      await expect.poll(async () => (await stored()).length).toBe(before)
    }
    expect((await ada.upload(channelId, 'cut.bin', new Uint8Array(7 * MB))).status).toBe(201)
    expect((await stored()).length).toBe(before + 1)
  })

  test('uploads beyond the storage quota are refused, even if many arrive concurrently', async () => {
    const gus = await parley.person('gus')
    const five = new Uint8Array(7 * MB)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => gus.upload(undefined, `${i}`, five)))
    const codes = answers.map(({ status, code }) => code ?? status)
    expect(codes.filter((it) => it === 201).length).toBe(5)
    expect(codes.filter((it) => it === 'quota_exceeded').length).toBe(3)
    // Others have their own quotas.
    expect((await bob.upload(undefined, 'x')).status).toBe(201)
    // Deleted files free space.
    for (const { body } of answers.filter(({ status }) => status === 201).slice(0, 2))
      expect((await gus.delete(`/api/files/${body.id}`)).status).toBe(204)
    expect((await gus.upload(undefined, 'again', five)).status).toBe(201)
    await parley.app.db.deleteFrom('files').where('state', '=', 'gone').execute()
    for await (const { key } of parley.app.storage.list()) {
      const row = parley.app.db.selectFrom('files').select('id').where('id', '=', key.slice(3, 39))
      if (!(await row.executeTakeFirst())) await parley.app.storage.remove([key])
    }
  })

  test('a user deactivated or removed during an upload stores nothing', async () => {
    const dan = await parley.person('dan')
    const cyd = await parley.person('cyd')
    await ada.post(`/api/channels/${channelId}/invite`, { userId: cyd.id })
    const before = (await stored()).length
    const { host, port, hostname } = new URL(parley.address)
    const begun = [dan, cyd].map((person) => {
      const { head, tail } = formAround('x', 'x/y', person === cyd ? { channelId } : {})
      const socket = connect(Number(port), hostname)
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.write(
        `POST /api/files/upload HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${person.token}\r\n` +
          `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${head.length + 100 + tail.length}\r\n\r\n` +
          head +
          'x'.repeat(90),
      )
      return { end: () => socket.write('x'.repeat(10) + tail), answer: () => answer.split('\r\n')[0], socket }
    })
    await expect.poll(async () => (await stored()).length).toBe(before + 2)
    await ada.put(`/api/users/${dan.id}/deactivation`, {})
    await ada.post(`/api/channels/${channelId}/remove-member`, { userId: cyd.id })
    for (const { end } of begun) end()
    await expect
      .poll(() => begun.map(({ answer }) => answer()))
      .toEqual(['HTTP/1.1 401 Unauthorized', 'HTTP/1.1 404 Not Found'])
    for (const { socket } of begun) socket.destroy()
    expect((await stored()).length).toBe(before)
  })

  test('parallel uploads of one person are limited', async () => {
    const zed = await parley.person('zed')
    const { host, port, hostname } = new URL(parley.address)
    const sockets = Array.from({ length: limits.uploads }, () => {
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST /api/files/upload HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${zed.token}\r\n` +
          `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 1000\r\n\r\n${formAround('x').head}${'x'.repeat(100)}`,
      )
      return socket
    })
    const pending = async () => (await stored()).filter(({ state }) => state === 'pending').length
    await expect.poll(pending).toBe(limits.uploads)
    const refused = await zed.upload(undefined, 'one more')
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited', headers: { 'retry-after': '1' } })
    for (const socket of sockets) socket.destroy()
    await expect.poll(pending).toBe(0)
    // The call finishes slightly after its row is written.
    await expect.poll(async () => (await zed.upload(undefined, 'one more')).status).toBe(201)
  })
})
