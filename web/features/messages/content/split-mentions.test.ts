import { expect, test } from 'vitest'
import type { CustomEmoji } from '#contract/custom-emoji'
import { limits } from '#contract/limits'
import { setMyKeywords } from '../../../cache/means-me.ts'
import { type Mentionable, splitMentions } from './split-mentions.ts'

function emojiOf(name: string): CustomEmoji {
  return { name, aliases: [], url: '', stillUrl: '', createdAt: '' }
}

const named: Mentionable = {
  mentions: [
    { userId: '1', username: 'ada' },
    { userId: '2', username: 'bob.k' },
    { userId: '3', username: 'dot.' },
  ],
  broadcast: 'channel',
  meId: '1',
  channelIds: { launch: 'l', 'launch-party': 'p', 'q&a with ada': 'q', 'c++': 'c', 設計: 'd', v2: 'v', 'v2.1': 'w' },
  emoji: new Map(['ship', 'party_parrot', '30', '了解'].map((name) => [name, emojiOf(name)])),
}

/** Mentions as <name>, mine as <name!>, channels as {name id}, emoji as [name], keywords as |word|. */
const marked = (text: string, mentionable = named) =>
  splitMentions(text, mentionable)
    .map((word) => {
      if (typeof word === 'string') return word
      if (word.kind === 'emoji') return `[${word.text}]`
      if (word.kind === 'keyword') return `|${word.text}|`
      return word.kind === 'person' ? `<${word.text}${word.isMe ? '!' : ''}>` : `{${word.text} ${word.channelId}}`
    })
    .join('')

test.each([
  ['hi @ada and @bob.k', 'hi <@ada!> and <@bob.k>'],
  ['@Ada, @BOB.K.', '<@Ada!>, <@BOB.K>.'],
  ['@ada@ada', '<@ada!>@ada'],
  ['@@ada', '@@ada'],
  ['(@ada)/@ada x@ada ._@ada', '(<@ada!>)/@ada x@ada ._<@ada!>'],
  ['ada@ada.com', 'ada@ada.com'],
  ['@adam @ada-b @ada7', '@adam @ada-b @ada7'],
  ['@dot. @dot.', '<@dot.> <@dot.>'],
  ['@eve', '@eve'],
  ['请@ada看', '请<@ada!>看'],
  ['@channel: @here and @everyone.', '<@channel!>: <@here!> and <@everyone!>.'],
  ['@channels', '@channels'],
])('people in %j: %s', (text, expected) => {
  expect(marked(text)).toBe(expected)
})

test('a text without stored mentions highlights nobody', () => {
  expect(marked('@ada @channel', { ...named, mentions: [], broadcast: null })).toBe('@ada @channel')
  expect(marked('@ada @channel', { ...named, broadcast: null })).toBe('<@ada!> @channel')
})

test.each([
  ['see #launch.', 'see {#launch l}.'],
  ['#Launch-Party, #LAUNCH', '{#Launch-Party p}, {#LAUNCH l}'],
  ['#launches #launch-x #launch_2', '#launches #launch-x #launch_2'],
  ['#launch- #launch…', '{#launch l}- {#launch l}…'],
  ['#q&a with ada tomorrow', '{#q&a with ada q} tomorrow'],
  ['#c++ and #c', '{#c++ c} and #c'],
  ['#v2.1 #v2. #v2.2', '{#v2.1 w} {#v2 v}. #v2.2'],
  ['見#設計を', '見{#設計 d}を'],
  ['a#launch ##launch /#launch &#launch; _#launch', 'a#launch ##launch /#launch &#launch; _#launch'],
  ['(#launch) "#launch"', '({#launch l}) "{#launch l}"'],
  ['#launch @ada #launch', '{#launch l} <@ada!> {#launch l}'],
  ['# launch #', '# launch #'],
  ['#constructor #__proto__ #toString', '#constructor #__proto__ #toString'],
])('channels in %j: %s', (text, expected) => {
  expect(marked(text)).toBe(expected)
})

test('no character of a text is lost', () => {
  for (const piece of ['@', '#', '@ada', '#launch', '@ada.', '#launch ', '@#', '\ud83d', '名']) {
    const text = piece.repeat(limits.messageContent / piece.length)
    const words = splitMentions(text, named).map((word) => (typeof word === 'string' ? word : word.text))
    expect(words.join('')).toBe(text)
  }
})

test.each([
  ['done :ship: and :Ship:', 'done [:ship:] and [:Ship:]'],
  [':ship::ship:', '[:ship:][:ship:]'],
  [':party_parrot:!', '[:party_parrot:]!'],
  ['at 10:30:45 or 2:30:', 'at 10:30:45 or 2:30:'],
  ['x:ship: but 了:了解:', 'x:ship: but 了[:了解:]'],
  [':gone: :gone::ship:', ':gone: :gone:[:ship:]'],
  ['https://example.com/:ship:', 'https://example.com/:ship:'],
  ['fe80::30:12 std::ship::foo é:ship: (:ship:)', 'fe80::30:12 std::ship::foo é:ship: ([:ship:])'],
  [':ship:2 :ship::30::ship:', ':ship:2 [:ship:][:30:][:ship:]'],
  ['@ada :ship: #launch', '<@ada!> [:ship:] {#launch l}'],
])('emoji of the workspace in %j: %s', (text, expected) => {
  expect(marked(text)).toBe(expected)
})

test('my keywords are marked outside of mentions, channels and emoji', async () => {
  await setMyKeywords(['Ship', 'on call', 'call'])
  expect(marked('@ada, SHIP :ship: while on call')).toBe('<@ada!>, |SHIP| [:ship:] while |on call|')
  // Folding makes them longer or shorter.
  expect(marked('wait… ship ⚠️ship cafe\u0301s s\u00adhip, ship.')).toBe(
    'wait… |ship| ⚠️|ship| cafe\u0301s |s\u00adhip|, |ship|.',
  )
  await setMyKeywords(['1', '.', '👩', '👍', 'Straße'])
  expect(marked('½ ⑴ wait… 👩‍💻 👍🏽 1. 👩 STRASSE ❤️👍')).toBe('½ ⑴ wait… 👩‍💻 👍🏽 |1||.| |👩| |STRASSE| ❤️|👍|')
  await setMyKeywords([])
  expect(marked('ship')).toBe('ship')
})
