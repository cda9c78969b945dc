import { expect, test } from 'vitest'
import { createKeywordMap, foldKeyword, wordsOf } from './keywords.ts'

function finder(...words: string[]) {
  const keywords = createKeywordMap<string>()
  for (const word of words) keywords.set(foldKeyword(word), word)
  return (text: string) => keywords.in(wordsOf(text))
}

test.each([
  ['deploy', 'We deploy now', true],
  ['deploy', 'DEPLOY!', true],
  ['Deploy', '**deploy**', true],
  ['deploy', 'deploy_prod and re-deploy', true],
  ['deploy', 'redeploy, deployment', false],
  ['deploy', 'Déploy', true],
  ['on call', 'who is on\ncall?', true],
  ['on  call', 'On   Call', true],
  ['on call', 'on calls', false],
  ['c++', 'C++17 and C++', true],
  ['.net', 'asp.net', true],
  ['über', 'ÜBER alles', true],
  ['café', 'the cafe\u0301', true],
  ['ｏｐｓ', 'ops', true],
  ['障害', '昨日の障害について', true],
  ['ラーメン', 'ラーメンを食べた', true],
  ['🚢', 'it ships 🚢🚢', true],
  ['2', '12 and 22', false],
  ['toString', 'nothing here', false],
  ['outage', '⚠️outage', true],
  ['❤️', '❤️you and ❤', true],
  ['❤', '❤️', true],
  ['outage', 'an out\u00adage', true],
  ['サーバー', 'サーバーDown', true],
  ['ΟΔΟΣ', 'ΟΔΟΣ.x οδός', true],
  ['launch', 'https://example.com/launch/1', false],
  ['launch', 'see https://example.com/launch, launch!', true],
  [
    'launch',
    '[Ada](/channels/00000000-0000-4000-8000-000000000001?message=00000000-0000-4000-8000-000000000001#quote)',
    false,
  ],
  ['👩', '👩‍💻', false],
  ['👩‍💻', 'a 👩‍💻!', true],
  ['👍', '👍🏽', false],
  ['🇩🇪', '🇫🇷🇩🇪', true],
  ['straße', 'STRASSE', true],
  ['istanbul', 'İSTANBUL', true],
  ['x', '', false],
])('the keyword %j in %j: %s', (keyword, text, isFound) => {
  expect(finder(keyword)(text).length > 0).toBe(isFound)
})

test('all keywords are found, in order, also within one another', () => {
  expect(finder('call', 'on call', 'outage')('Outage: on call? Call!')).toEqual(['outage', 'on call', 'call', 'call'])
})

test('a removed keyword is not found, and others of its length are', () => {
  const keywords = createKeywordMap<number>()
  for (const [value, word] of ['on call', 'on fire', 'on'].entries()) keywords.set(word, value)
  keywords.delete('on call')
  keywords.delete('never there')
  expect(keywords.in('on call, on fire')).toEqual([2, 1, 2])
  for (const word of ['on', 'on fire']) keywords.delete(word)
  expect(keywords.in('on call, on fire')).toEqual([])
})

test('the places of keywords are those in the text, also where folding changes its length', () => {
  const keywords = createKeywordMap<string>()
  for (const word of ['outage', '1']) keywords.set(foldKeyword(word), word)
  const marked = (text: string) => keywords.placesIn(text).map(({ start, end }) => text.slice(start, end))
  for (const text of ['An Outage', 'wait…  outage', '⚠️outage', 'cafe\u0301 outage', 'ﷺ outage', '👩‍💻outage ½'])
    expect(
      marked(text).map((it) => it.toLowerCase()),
      text,
    ).toEqual(['outage'])
  expect(marked('out\u00adage')).toEqual(['out\u00adage'])
})

test('a search ends early in a text that was made to take time', () => {
  const keywords = createKeywordMap<string>()
  for (let length = 1; length <= 50; length++) keywords.set('猫'.repeat(length), 'cat')
  keywords.set('outage', 'outage')
  expect(keywords.in('猫'.repeat(19)).length).toBe(190)
  const found = keywords.in(`${'猫'.repeat(9000)} outage`)
  expect(found.length).toBeLessThanOrEqual(1001)
  // Others are found nevertheless.
  expect(found.at(-1)).toBe('outage')
})

test('a thousand marks on one character count as a few', () => {
  expect(foldKeyword(`й${'\u0345\u0360\u035c\u0315'.repeat(2000)}`).length).toBeLessThan(40)
})
