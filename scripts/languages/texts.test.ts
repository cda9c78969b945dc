import { expect, it } from 'vitest'
import { pseudoText } from './pseudo.ts'
import { argumentsOf, compileText, isolateChannels, languageCodes, problemsOf, readTexts } from './texts.ts'

/** Other languages may be incomplete: their missing texts are English. */
const COMPLETE = ['ar', 'de', 'en', 'es', 'fr', 'ja']

const english = { count: '{count, plural, one {# file} other {# files}} of {name}', bold: '<b>{name}</b> left' }

it('the languages have no problems', () => {
  expect(languageCodes().flatMap((code) => problemsOf(code, readTexts(code), readTexts('en')))).toEqual([])
})

it.each(COMPLETE)('%s has all texts', (code) => {
  expect(Object.keys(readTexts(code))).toEqual(Object.keys(readTexts('en')))
})

it('a text without values compiles to a string', () => {
  expect(compileText("It's done")).toBe("It's done")
  expect(compileText('')).toBe('')
  expect(compileText('{name} left')).toBeInstanceOf(Array)
})

it('a channel is isolated with its #, and a count is not', () => {
  expect(isolateChannels('<b>#{name}</b>: {count, plural, other {#{name} #}}')).toBe(
    '<b>\u2068#{name}\u2069</b>: {count, plural, other {\u2068#{name}\u2069 #}}',
  )
})

it('the values of a text are found everywhere in it, with their types', () => {
  expect([...argumentsOf('<b>{n, plural, one {{a}} other {{b}}}</b> {k, select, x {1} other {2}} {t, date}')]).toEqual([
    ['a', 'text'],
    ['b', 'tag'],
    ['k', 'other|x'],
    ['n', 'number'],
    ['t', 'date'],
  ])
})

it.each([
  ['de', { gone: 'weg' }, 'is not a text of languages/en.json'],
  ['de', { bold: '{name} ging' }, 'takes name, but in English b (tag), name'],
  ['de', { count: '{count, plural, other {# Dateien}} von {name}' }, "lacks the plural form 'one'"],
  ['ar', { count: '{count, plural, one {#} other {#}} {name}' }, "lacks the plural form 'zero'"],
  ['de', { bold: '<b>{name}</b' }, 'cannot be read'],
])('%s with %j: %s', (code, texts, what) => {
  expect(problemsOf(code, texts, english)[0]?.what).toContain(what)
})

it('forms for millions are optional, and Japanese has a single form', () => {
  const count = '{count, plural, one {# fichier} other {# fichiers}} de {name}'
  expect(problemsOf('fr', { count }, english)).toEqual([])
  expect(problemsOf('ja', { count: '{name}の{count, plural, other {#件}}' }, english)).toEqual([])
})

it('a pseudo text keeps its values and is longer', () => {
  const pseudo = pseudoText(english.count)
  expect(pseudo).toMatch(/^\[.*~+\]$/)
  expect(argumentsOf(pseudo)).toEqual(argumentsOf(english.count))
  expect(problemsOf('en', { count: pseudo }, english)).toEqual([])
})
