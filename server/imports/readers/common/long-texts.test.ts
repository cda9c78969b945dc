import { expect, it } from 'vitest'
import { slackText } from '../slack/slack-text.ts'
import { withoutUploads, zulipContent } from '../zulip/zulip-text.ts'
import { codeBlock, escapeMarkdown, inlineCode, MAX_MARKUP_CHARACTERS, styled } from './markdown.ts'
import { withMentions } from './mentions.ts'

/** Time that grows with the square of these lengths exceeds the limits of these tests many times over. */
const LONG = 400_000
const repeated = (unit: string, length: number, end = 'x') => unit.repeat(length / unit.length) + end
const TIMEOUT = 5_000

it('escaping and styling take time in proportion to the text', { timeout: TIMEOUT }, () => {
  for (const unit of ['-', ':', '=', '- ', ' ', '\n', '\\', '1', '[', '<', 'http://a?!'])
    expect(escapeMarkdown(repeated(unit, LONG)).length).toBeGreaterThan(LONG / 2)
  expect(escapeMarkdown('-=-: -|\n-=-: = -')).toBe('\\-=-: -\\|\n-=-: = -')
  for (const unit of [' ', '\t', '\n', ' a'])
    for (let time = 0; time < 5; time++) {
      const text = repeated(unit, MAX_MARKUP_CHARACTERS - 2)
      expect(styled(text, { bold: true }).endsWith('x**')).toBe(true)
      expect(/x ?`$/.test(inlineCode(text).slice(-3))).toBe(true)
    }
})

it('the markup of messages takes time in proportion to their length', { timeout: TIMEOUT }, () => {
  const units = [
    '*a ',
    '*<a ',
    '@**a ',
    '_a* ',
    '@*a ',
    '#**a',
    '_*a ',
    '@_**',
    'x :_',
    '-',
    '@a.-_',
    '[',
    '![',
    '[a](#narrow/',
    '[a](https://a/#narrow/',
    'https://a/#narrow/',
    'x https://',
    '<time:',
  ]
  const named = { people: new Map(), channels: new Map(), channelKeys: new Set<string>() }
  for (const unit of units)
    for (const end of ['x', '\nx']) {
      const text = repeated(unit, MAX_MARKUP_CHARACTERS - 5, end)
      expect(slackText(text).length).toBeGreaterThan(0)
      expect(zulipContent(text, named).length).toBeGreaterThan(0)
      expect(withoutUploads(text, new Set())).toBe(text)
    }
})

it('marks that are not closed do not multiply the ways to read the links after them', { timeout: TIMEOUT }, () => {
  expect(slackText(`*a ${'<@U1> '.repeat(40)}`).filter((part) => 'person' in part)).toHaveLength(40)
})

it('marks within marks end somewhere', () => {
  for (const mark of ['*', '_', '~', '*_~'])
    expect(slackText(`${repeated(mark, 30_000, '')}\nx`).length).toBeGreaterThan(0)
  expect(slackText('***a*** *_~b~_*')).toEqual([{ text: '**a**' }, { text: ' ' }, { text: '***~~b~~***' }])
})

it('an unknown username is tried without the punctuation at its end, but not endlessly', () => {
  let tries = 0
  const keyOf = (name: string) => {
    tries += name.length
    return name === 'bob' ? '7' : undefined
  }
  expect(withMentions(`@bob.. @a${'._-'.repeat(10_000)}`, keyOf)[0]).toEqual({ person: '7' })
  expect(tries).toBeLessThan(100_000)
})

it('code with any number of backticks becomes a block', () => {
  expect(codeBlock(repeated('`', 150_000)).length).toBeLessThan(151_000)
  expect(codeBlock(repeated('` ', 400_000)).length).toBeGreaterThan(LONG)
  expect(codeBlock('a ```` b')).toBe('`````\na ```` b\n`````')
})
