import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test, vi } from 'vitest'
import { tries } from '../../../../contract/test/properties.ts'
import { parseMarkdown } from './parse-markdown.ts'

vi.mock('mdast-util-from-markdown', { spy: true })

/** Without positions, which only matter for showing unknown elements as source. */
const treeOf = (content: string) =>
  JSON.parse(JSON.stringify(parseMarkdown(content)), (key, value) => (key === 'position' ? undefined : value))

function isParsed(content: string) {
  vi.mocked(fromMarkdown).mockClear()
  parseMarkdown(content)
  return vi.mocked(fromMarkdown).mock.calls.length > 0
}

test('only a plain line of words skips the parser', () => {
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

test('a line that skips the parser gets the same tree as a parsed one', () => {
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
      // A trailing line break forces parsing without changing the tree.
      expect(treeOf(content)).toEqual(treeOf(`${content}\n`))
    }),
    tries(1000),
  )
})
