import { expect, test } from 'vitest'
import { sanitizeFileName } from '../../files/file-name.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')

const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'

test.each([
  [`👨‍👩‍👧‍👦 ${england} 🏳️‍🌈.png`, `👨‍👩‍👧‍👦 ${england} 🏳️‍🌈.png`],
  ['می‌خواهم.txt', 'می‌خواهم.txt'],
  ['क्‍ष.txt', 'क्‍ष.txt'],
  ['pay\u200dpal\u200c.exe', 'paypal.exe'],
  ['\u200dx\u200d.txt', 'x.txt'],
  ['🏴\u{e0078}\u{e007f}.txt', '🏴.txt'],
  ['x\u{e0067}.txt', 'x.txt'],
  ['two\r\nlines.txt', 'two lines.txt'],
  ['\r\n', 'file'],
])('name %j is stored as %j', (name, stored) => {
  expect(sanitizeFileName(name)).toBe(stored)
})

async function upload(name: string, field?: string) {
  const form = new FormData()
  if (field !== undefined) form.append('name', field)
  form.append('file', new Blob(['x']), name)
  const headers = { authorization: `Bearer ${ada.token}` }
  const answer = await fetch(`${parley.address}/api/files/upload`, { method: 'POST', headers, body: form })
  return { status: answer.status, ...((await answer.json()) as { name?: string }) }
}

test('escaped quotes and line breaks in multipart names are decoded', async () => {
  expect(await upload('say "x".txt')).toMatchObject({ status: 201, name: 'say "x".txt' })
  expect(await upload('two\nlines.txt')).toMatchObject({ status: 201, name: 'two lines.txt' })
  expect(await upload('100%25.txt')).toMatchObject({ status: 201, name: '100%25.txt' })
})

test('a name that multipart headers cannot represent is read from a field before the file', async () => {
  const name = 'say %22x%22 or "x".txt'
  expect(await upload(name, name)).toMatchObject({ status: 201, name })
  expect(await upload('x.txt', '../../etc/passwd')).toMatchObject({ status: 201, name: 'passwd' })
  expect(await upload('x.txt', 'x'.repeat(2000))).toMatchObject({ status: 201, name: 'x'.repeat(255) })
})
