import { expect, test } from 'vitest'
import { quoteOf } from '#contract/quotes'
import { withTextAdded } from './add-to-draft.ts'

const quote = quoteOf(
  { channelId: '019a0000-0000-7000-8000-000000000001', messageId: '019a0000-0000-7000-8000-000000000002' },
  'Quote',
)

test.each([
  ['', 'shared'],
  [' \n', 'shared'],
  ['typed', 'typed\nshared'],
  ['typed \n\n', 'typed\nshared'],
  [quote, `${quote}\n\nshared`],
  [`${quote}\n\ntyped`, `${quote}\n\ntyped\nshared`],
])('a text is added after the draft %j', (draft, expected) => {
  expect(withTextAdded(draft, 'shared')).toBe(expected)
})
