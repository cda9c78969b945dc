import { expect, test } from 'vitest'
import { type Emoji, matchEmoji } from './match-emoji.ts'
import { matchNames } from './match-names.ts'

const people = [
  { username: 'zoe', name: 'Zoe Adams' },
  { username: 'madam', name: 'Mia' },
  { username: 'ada.l', name: 'Ada Lovelace' },
  { username: 'ada', name: 'Ada Byron' },
  { username: 'ivan', name: 'Иван Петров' },
  { username: 'mei', name: '林 美' },
]
const found = (word: string) => matchNames(word, people).map(({ username }) => username)

test('the full name ranks first, then its beginning, then the beginning of a part, then any match', () => {
  expect(found('ada')).toEqual(['ada', 'ada.l', 'zoe', 'madam'])
  expect(found('adalo')).toEqual(['ada.l'])
  expect(found('пет')).toEqual(['ivan'])
  expect(found('美')).toEqual(['mei'])
  expect(found('')).toHaveLength(people.length)
  expect(found('nobody')).toEqual([])
})

const emoji = (id: string, others: string[], words: string[]): Emoji => ({
  id,
  native: id,
  names: [id, ...others],
  words,
})

test('emoji rank by full name, beginning, part, then search terms; dashes and underscores are equal', () => {
  const all = [
    emoji('party_popper', [], ['tada']),
    emoji('tada', ['hooray'], ['party']),
    emoji('partying_face', [], ['birthday']),
    emoji('man-in-party', [], []),
  ]
  const ids = (word: string) => matchEmoji(word, all).map(({ id }) => id)
  expect(ids('party')).toEqual(['party_popper', 'partying_face', 'man-in-party', 'tada'])
  expect(ids('tada')).toEqual(['tada', 'party_popper'])
  expect(ids('hoo')).toEqual(['tada'])
  expect(ids('man_in')).toEqual(['man-in-party'])
})
