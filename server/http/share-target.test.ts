import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'

const parley = await startParley()
const MB = 1024 ** 2

test('what reaches the server is not read, and leads to a page that says so, for visitors as well', async () => {
  const form = new FormData()
  form.append('text', 'Have you seen this?')
  form.append('files', new File(['some bytes'], 'notes.txt', { type: 'text/plain' }))
  for (const body of [form, new URLSearchParams({ text: 'a link' }), 'no form']) {
    const response = await fetch(`${parley.address}/share`, { method: 'POST', body, redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/share?failed=unready'])
  }
})

test('a body far above the limit of others is taken, and the connection stays usable', async () => {
  const line = await openRawConnection(parley.address)
  const type = 'Content-Type: multipart/form-data; boundary=b'
  line.write(`POST /share HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${50 * MB}\r\n\r\n`)
  const part = Buffer.alloc(MB)
  for (let sent = 0; sent < 50; sent++) {
    if (!line.write(part)) await once(line.socket, 'drain')
  }
  line.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => line.received()).toContain('{"status":"ok"}')
  expect(line.received()).toMatch(/^HTTP\/1\.1 303 .*\r\nlocation: \/share\?failed=unready\r\n/is)
})
