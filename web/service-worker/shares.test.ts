import { expect, test } from 'vitest'
import { contentOf, refusalOf } from './shares.ts'

const GB = 1024 ** 3
const files = (...sizes: number[]) => sizes.map((size) => ({ size }))

test.each([
  ['nothing', { text: '', files: [] }, 'empty'],
  ['a text', { text: 'Hello', files: [] }, undefined],
  ['a file without bytes', { text: '', files: files(0) }, undefined],
  ['the longest text', { text: 'a'.repeat(100_000), files: [] }, undefined],
  ['a longer text', { text: 'a'.repeat(100_001), files: [] }, 'tooLong'],
  ['as many files as a message has', { text: '', files: files(...Array(10).fill(1)) }, undefined],
  ['more files', { text: '', files: files(...Array(11).fill(1)) }, 'tooMany'],
  ['the largest file', { text: '', files: files(GB) }, undefined],
  ['a larger file', { text: 'Hello', files: files(1, GB + 1) }, 'tooLarge'],
  ['files that take more than half of the room', { text: '', files: files(GB, GB, 1) }, 'full'],
])('%s', (_, content, refusal) => {
  expect(refusalOf(content, 4 * GB)).toBe(refusal)
})

test('a form’s text and files are read, and what is neither is ignored', () => {
  const form = new FormData()
  form.append('title', 'A page')
  form.append('url', 'https://example.com')
  form.append('text', new File(['no text'], 'text.txt'))
  form.append('files', 'no file')
  form.append('files', new File([], ''))
  form.append('files', new File([], 'empty.txt'))
  form.append('files', new File(['bytes'], 'notes.txt', { type: 'text/plain' }))
  // Browsers escape quotation marks and line breaks in the names of a form.
  form.append('files', new File(['bytes'], 'a%22b%0D%0Ac 100%.txt'))
  form.append('other', new File(['bytes'], 'other.txt'))
  const { text, files } = contentOf(form)
  expect(text).toBe('A page\nhttps://example.com')
  expect(files.map(({ name, size }) => [name, size])).toEqual([
    ['empty.txt', 0],
    ['notes.txt', 5],
    ['a"b c 100%.txt', 5],
  ])
})
