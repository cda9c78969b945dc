import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import highlight from './highlight-code.ts'

const classNamesIn = (language: string, code: string) =>
  highlight(code, language)
    ?.filter(({ className }) => className)
    .map(({ text, className }) => `${className} ${text}`)

test('keywords, calls, values and comments get different classes', () => {
  expect(classNamesIn('ts', "const n = await call('x', 12) // why")).toEqual([
    'keyword const',
    'keyword await',
    'keyword call',
    "string 'x'",
    'number 12',
    'comment // why',
  ])
  expect(classNamesIn('diff', '+new\n-old')).toEqual(['addition +new', 'deletion -old'])
})

test.each(['', 'nonsense', '__proto__', 'constructor'])('%j is not a known language', (language) => {
  expect(highlight('x', language)).toBeUndefined()
})

test.each(['ts', 'tsx', 'py', 'go', 'rust', 'sql', 'sh', 'json', 'yaml', 'html', 'css', 'c++', 'java', 'swift', 'php'])(
  'highlighting %s never changes the code, however it is nested',
  (language) => {
    for (const piece of ['`${', '<a ', '{', '"', '/*', "'''", '((', '<!--', '\\', 'a.b(', '@', '$x']) {
      const code = piece.repeat(limits.messageContent / piece.length)
      const runs = highlight(code, language) ?? []
      expect(runs.map(({ text }) => text).join('')).toBe(code)
    }
  },
)
