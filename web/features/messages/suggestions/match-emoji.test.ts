import { expect, test } from 'vitest'
import { type Emoji, matchEmoji } from './match-emoji.ts'

const emoji = (id: string, more: Partial<Emoji> = {}): Emoji => ({ id, native: id, names: [id], words: [], ...more })
const found = (word: string, all: Emoji[]) => matchEmoji(word, all).map(({ id }) => id)

test('whole names come first, then those of the workspace among equal matches, then short ones', () => {
  const all = [
    emoji('parking'),
    emoji('pager'),
    emoji('party_parrot', { isCustom: true }),
    emoji('feet', { names: ['feet', 'pa'] }),
    emoji('spa', { words: ['pa'] }),
  ]
  expect(found('pa', all)).toEqual(['feet', 'party_parrot', 'pager', 'parking', 'spa'])
  expect(found('parrot', all)).toEqual(['party_parrot'])
})
