import { expect, test } from 'vitest'
import { EmojiName } from '#contract/emoji'
import { nameFromFile, tidyName } from './emoji-name.ts'

test.each([
  ['Party Parrot.gif', 'party_parrot'],
  ['ÄRGER (final).png', 'ärger_final'],
  ['了解です.webp', '了解です'],
  ['--- x.y ---.png', 'xy'],
  [`${'long'.repeat(20)}.png`, 'long'.repeat(8)],
  [`a${'𠮷'.repeat(40)}.png`, `a${'𠮷'.repeat(31)}`],
  ['サーバー.png', 'サーバー'],
])('the file %o suggests the name %o', (file, name) => {
  expect(nameFromFile(file)).toBe(name)
  expect(EmojiName.safeParse(name).success).toBe(true)
})

test('what is typed is kept as far as it may be in a name', () => {
  expect(tidyName(':Ship It!:')).toBe('ship_it')
  expect(tidyName('+1-more_')).toBe('+1-more_')
})
