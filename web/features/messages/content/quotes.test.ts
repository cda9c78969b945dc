import { beforeAll, expect, test, vi } from 'vitest'
import { messagePath, quoteOf } from '#contract/quotes'
import { parseMarkdown } from './parse-markdown.ts'
import { MAX_QUOTES, messageAt, splitAtQuotes } from './quotes.ts'

beforeAll(() => {
  vi.stubGlobal('location', { origin: 'https://parley.test', href: 'https://parley.test/dashboard' })
})

const place = (n: number) => ({
  channelId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  messageId: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
})
const [one, two] = [quoteOf(place(1), 'Quoted message'), quoteOf(place(2), '引用したメッセージ')]

const shape = (text: string) =>
  splitAtQuotes(parseMarkdown(text)?.children ?? []).map((part) =>
    Array.isArray(part) ? part.map(({ type }) => type) : part.messageId,
  )
const url = `https://other.test${messagePath(place(3))}`

test('a link to a message is a quote if nothing else is in its paragraph', () => {
  expect(shape(`${one}\n\nSo true\n\nIndeed\n\n${two}`)).toEqual([
    place(1).messageId,
    ['paragraph', 'paragraph'],
    place(2).messageId,
  ])
  expect(shape(`https://parley.test${messagePath(place(3))}`)).toEqual([place(3).messageId])
  // The words of its author stay.
  expect(shape(`[Read this](${messagePath(place(3))})`)).toEqual([['paragraph']])
  expect(shape(`See ${one}`)).toEqual([['paragraph']])
  expect(shape(`> ${one}`)).toEqual([['blockquote']])
  expect(shape(`- ${one}`)).toEqual([['list']])
  expect(shape(`\`\`\`\n${one}\n\`\`\``)).toEqual([['code']])
  expect(shape(`!${one}`)).toEqual([['paragraph']])
})

test('at most five links of a message become quotes', () => {
  const text = Array.from({ length: MAX_QUOTES + 2 }, (_, n) => quoteOf(place(n), 'x')).join('\n\n')
  expect(shape(text)).toHaveLength(MAX_QUOTES + 1)
  expect(shape(text).at(-1)).toEqual(['paragraph', 'paragraph'])
})

test('only links to messages of this workspace count', () => {
  expect(messageAt(messagePath(place(1)))).toEqual(place(1))
  expect(messageAt(url)).toBeUndefined()
  expect(messageAt(`${location.origin}${messagePath(place(3))}`)).toEqual(place(3))
  for (const other of [
    `${messagePath(place(1))}&x=1`,
    `${messagePath(place(1))}#x`,
    '/channels/1?message=2',
    '/dashboard',
  ])
    expect(messageAt(other)).toBeUndefined()
})
