import { parse } from '@formatjs/icu-messageformat-parser'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { addTexts, type PlainTextId, rich, startTexts, type TextId, t } from './text.ts'

const load = (source: string, locale = 'en', direction: 'ltr' | 'rtl' = 'ltr') => {
  startTexts(locale, direction)
  addTexts({ start: 0, numbered: [], named: { it: parse(source) } })
}
const format = (values: object) => (t as (id: string, values: object) => string)('it', values)

afterEach(() => startTexts('en', 'ltr'))

it('counts are formatted and inflected in the language', () => {
  load('{count, plural, one {# message} other {# messages}}')
  expect(format({ count: 1 })).toBe('1 message')
  expect(format({ count: 12_345 })).toBe('12,345 messages')
  load('{count, plural, one {# Nachricht} other {# Nachrichten}}', 'de')
  expect(format({ count: 12_345 })).toBe('12.345 Nachrichten')
})

it('a name in the other direction is isolated, and others are left alone', () => {
  load('{name} left')
  expect(format({ name: 'Ada' })).toBe('Ada left')
  expect(format({ name: 'ليلى' })).toBe('\u2068ليلى\u2069 left')
  load('غادر {name}', 'ar', 'rtl')
  expect(format({ name: 'Ada' })).toBe('غادر \u2068Ada\u2069')
})

it('a value that chooses a form does so in every direction', () => {
  load('<b>{day, select, today {اليوم} other {في {day}}}</b>', 'ar', 'rtl')
  const node = (day: string) => rich('it' as TextId, { b: (part: ReactNode) => part, day } as never)
  expect(renderToStaticMarkup(node('today'))).toBe('اليوم')
  expect(renderToStaticMarkup(node('monday'))).toBe('في monday')
})

it('tags wrap parts of a text, and values may be elements', () => {
  load('<b>{name}</b> left {channel}')
  const values = {
    b: (part: ReactNode) => createElement('b', null, part),
    name: '<i>Ada</i>',
    channel: createElement('i', null, '#one'),
  }
  const node = rich('it' as TextId, values as never)
  expect(renderToStaticMarkup(node)).toBe('<b>&lt;i&gt;Ada&lt;/i&gt;</b> left <i>#one</i>')
})

it('a text that is not loaded is an error', () => {
  expect(() => t('gone' as PlainTextId)).toThrow("The text 'gone' is not loaded")
})
