import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { mentionedIn } from './mentions.ts'
import { tries } from './test/properties.ts'

/** The longest reading of each name in a text. */
const named = (text: string) => mentionedIn(text).names.map(([longest]) => longest)

test.each([
  ['@ada', ['ada']],
  ['@Ada and @BOB', ['ada', 'bob']],
  ['(@ada) [@bob] "@cyd" *@dan* **@eli** ~~@fay~~ _@gus_', ['ada', 'bob', 'cyd', 'dan', 'eli', 'fay', 'gus_']],
  ['@ada @ada @ADA', ['ada']],
  ['@ada,@bob;@cyd', ['ada', 'bob', 'cyd']],
  ['@ada’s, @bob: @cyd! @dan?', ['ada', 'bob', 'cyd', 'dan']],
  ['first line\n@ada\n> @bob\n- @cyd\n-@dan', ['ada', 'bob', 'cyd', 'dan']],
  ['well … @ada –@bob', ['ada', 'bob']],
  ['请@ada看看，@bobさん @cyd님', ['ada', 'bob', 'cyd']],
  [`@${'x'.repeat(30)}`, ['x'.repeat(30)]],
])('%j mentions %j', (text, names) => {
  expect(named(text)).toEqual(names)
})

test.each([
  'ada@example.com',
  'a.d-a_@example.com, 7@ada, é@ada, mailto:ada@ada',
  'https://example.com/@ada and ./@ada/core',
  '@@ada',
  '@ ada, @, @a, @ab',
  '@adaé and @adae\u0301 and @ada7é',
  `@${'x'.repeat(31)}`,
])('%j mentions nobody', (text) => {
  expect(mentionedIn(text)).toEqual({ names: [], broadcast: null })
})

test('trailing punctuation may belong to a name, so the longest reading comes first', () => {
  expect(mentionedIn('@ada.l.').names).toEqual([['ada.l.', 'ada.l']])
  expect(mentionedIn('@a-b_c.d').names).toEqual([['a-b_c.d']])
  expect(mentionedIn('thanks @ada...').names).toEqual([['ada...', 'ada..', 'ada.', 'ada']])
  expect(mentionedIn(`@${'x'.repeat(30)}.`).names).toEqual([['x'.repeat(30)]])
})

test.each([
  ['`@ada` @bob', ['bob']],
  ['``@ada`` @bob', ['bob']],
  ['``a ` @ada`` @bob', ['bob']],
  ['`a` @ada `b`', ['ada']],
  ['`code\nover @ada lines` @bob', ['bob']],
  ['an open ` @ada', ['ada']],
  ['an open ` here\n\n@ada and `there', ['ada']],
  ['```\n@ada\n```\n@bob', ['bob']],
  ['```ts\n@ada\n```\n@bob\n```\n@cyd\n```', ['bob']],
  ['```@ada``` @bob', ['bob']],
  ['````\n```\n@ada\n```\n````\n@bob', ['bob']],
  ['> ```\n> @ada\n> ```\n@bob', ['bob']],
  ['~~~\n@ada\n~~~\n@bob', ['bob']],
  ['```\n` @ada\n```\n` @bob', ['bob']],
  ['```\nopen to the end\n@ada', []],
])('code mentions nobody: %j', (text, names) => {
  expect(named(text)).toEqual(names)
})

test.each([
  ['@channel', 'channel'],
  ['@everyone, lunch!', 'channel'],
  ['@All.', 'channel'],
  ['@HERE', 'here'],
  ['@here and @channel', 'channel'],
  ['@channel and @here', 'channel'],
  ['`@channel` @here', 'here'],
  ['all@here.com', null],
  ['@allé, @all-hands, @hereafter, @channels', null],
  ['@constructor @__proto__ @tostring @hasownproperty', null],
])('%j mentions %j', (text, broadcast) => {
  expect(mentionedIn(text).broadcast).toBe(broadcast)
})

test('a name that equals an Object property is an ordinary name', () => {
  expect(named('@constructor @__proto__')).toEqual(['constructor', '__proto__'])
})

test('any text parses, and every mentioned name is a valid username', () => {
  const piece = fc.constantFrom(
    '@',
    '`',
    '``',
    '```',
    '~~~',
    '\n',
    ' ',
    '.',
    '-',
    '_',
    '/',
    'ada',
    'all',
    'é',
    '名',
    '7',
  )
  fc.assert(
    fc.property(fc.oneof(fc.array(piece, { maxLength: 40 }), fc.array(fc.string({ unit: 'binary' }))), (pieces) => {
      const { names, broadcast } = mentionedIn(pieces.join(''))
      expect([null, 'channel', 'here']).toContain(broadcast)
      for (const readings of names) {
        expect(readings.length).toBeGreaterThan(0)
        for (const name of readings) expect(name).toMatch(/^[a-z0-9._-]{3,30}$/)
        expect(readings).toEqual(readings.toSorted((a, b) => b.length - a.length))
      }
    }),
    tries(1000),
  )
})

// Twenty times the maximum length: super-linear parsing would exceed the test's timeout.
test.each([
  '@',
  '@ada ',
  '@ada.',
  '._-@',
  '@.',
  '`@',
  '@ ` `` ',
  '@` \n\n',
  '@``a',
  '@\n~~~',
  '@```\n',
  'é@',
  '@a\u0301',
])('many repetitions of %j are parsed in linear time', (piece) => {
  const long = piece.repeat((20 * limits.messageContent) / piece.length)
  for (const text of [long, `${long}é`, `@${long}`, `@x\`${long}`]) mentionedIn(text)
})

test.each(['.', '-', ' ', '\n', '\n ', '`a', '``a', '~', 'a', '名'])(
  'one @ before or after many %j is parsed in linear time',
  (piece) => {
    const long = piece.repeat((20 * limits.messageContent) / piece.length)
    for (const text of [`@${long}é`, `${long}@ada`, `@x\`${long}x`, `@x\n${long}\n~~~`]) mentionedIn(text)
  },
)
