import { expect, test } from 'vitest'
import { quoteAt } from './quote.ts'

test.each([
  ['|', 'one\ntwo', '> one\n> two\n\n|'],
  ['|draft', 'one', '> one\n\n|draft'],
  ['a draft|', 'one\n\nthree', 'a draft\n\n> one\n>\n> three\n\n|'],
  ['first\n|second', 'one', 'first\n\n> one\n\n|second'],
  ['> other\n\n|', '> deep', '> other\n\n> > deep\n\n|'],
])('%j', (drawn, quoted, expected) => {
  const { from, to, text } = quoteAt(drawn.replace('|', ''), drawn.indexOf('|'), quoted)
  expect(`${drawn.slice(0, from)}${text}|${drawn.slice(to + 1)}`).toBe(expected)
})
