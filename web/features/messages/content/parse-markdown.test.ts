import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test, vi } from 'vitest'
import { tries } from '../../../../contract/test/properties.ts'
import { parseMarkdown } from './parse-markdown.ts'

vi.mock('mdast-util-from-markdown', { spy: true })

/** Without positions, which only the source of unknown elements needs. */
const treeOf = (content: string) =>
  JSON.parse(JSON.stringify(parseMarkdown(content)), (key, value) => (key === 'position' ? undefined : value))

function isParsed(content: string) {
  vi.mocked(fromMarkdown).mockClear()
  parseMarkdown(content)
  return vi.mocked(fromMarkdown).mock.calls.length > 0
}

test('a line of words is not parsed, and anything else is', () => {
  const plain = ['Hello', 'See you at 10:30 - room #4 (2nd floor)!', '@ada and @bob, ready?', 'Größe: 5 > 3', '設計 👍']
  expect(plain.filter(isParsed)).toEqual([])
  const marked = [
    'a *b*',
    '- a',
    '1. a',
    'see www.a.de',
    'see http://a.de',
    'write to a@b.de',
    'a &amp; b',
    'a\nb',
    'a ',
  ]
  expect(marked.filter((content) => !isParsed(content))).toEqual([])
})

test('a line of words has the tree that the parser would make of it', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'B ',
      ' ',
      '1',
      '.',
      ')',
      '(',
      '-',
      '+',
      '=',
      '#',
      '>',
      '!',
      ':',
      '/',
      '//',
      '"',
      "'",
      '@',
      ' @',
      '$',
      '%',
      '^',
    ],
    ...[
      '{',
      '}',
      '~',
      '*',
      '_',
      '|',
      '\\',
      '`',
      '&',
      ';',
      '<',
      '[',
      'www.',
      'http',
      'https:',
      '.de',
      '設',
      'é',
      '👍',
      '\u00a0',
    ],
  )
  const line = fc.tuple(fc.constantFrom('a', 'É', '@', ''), fc.array(piece, { maxLength: 12 }))
  fc.assert(
    fc.property(line, ([first, pieces]) => {
      const content = first + pieces.join('')
      fc.pre(!isParsed(content))
      // A line break at the end changes nothing, but such a text is parsed.
      expect(treeOf(content)).toEqual(treeOf(`${content}\n`))
    }),
    tries(1000),
  )
})
