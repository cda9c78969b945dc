import { expect, test } from 'vitest'
import { isPassing, subjectOf } from './calls.ts'

test('a token names its person', () => {
  const payload = btoa(JSON.stringify({ sub: 'bob~?>', exp: 1 }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  expect(subjectOf(`head.${payload}.signature`)).toBe('bob~?>')
  expect(() => subjectOf('no token')).toThrow()
})

test.each([
  [200, false],
  [400, false],
  [401, true],
  [403, false],
  [404, false],
  [429, true],
  [503, true],
])('whether the answer %i may change', (status, expected) => {
  expect(isPassing(new Response(null, { status }))).toBe(expected)
})
