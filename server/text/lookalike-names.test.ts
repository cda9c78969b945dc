import { describe, expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { looksLikeAssistant, looksReserved } from './lookalike-names.ts'

describe('the assistant’s name is recognized', () => {
  test.each([
    ['as it is', 'Assistant'],
    ['with a second word', 'Assistant Bot'],
    ['in parentheses', '⒜⒮⒮⒤⒮⒯⒜⒩⒯'],
    ['in parentheses, of capitals', '🄐🄢🄢🄘🄢🄣🄐🄝🄣'],
    ['in circles', 'Ⓐⓢⓢⓘⓢⓣⓐⓝⓣ'],
    ['in black circles', '🅐🅢🅢🅘🅢🅣🅐🅝🅣'],
    ['in squares', '🄰🅂🅂🄸🅂🅃🄰🄽🅃'],
    ['in black squares', '🅰🆂🆂🅸🆂🆃🅰🅽🆃'],
    ['of letters of flags', '🇦🇸🇸🇮🇸🇹🇦🇳🇹'],
    ['with a Cyrillic т', 'Assisтanт'],
    ['with a Cyrillic Т', 'AssisТant'],
    ['with a Greek τ', 'Assisτanτ'],
    ['with a Greek ι', 'Assιstant'],
    ['with a Greek Ι', 'AssΙstant'],
    ['in letters of several scripts', 'Аѕѕіѕтаոт'],
    ['with a raised letter', 'Assistanᵗ'],
    ['with a logical sign that looks like a T', 'Assistan⊤'],
    ['with dots between', 'A·s·s·i·s·t·a·n·t'],
    ['with bullets and spaces between', 'A • s • s • i • s • t • a • n • t'],
    ['with bars between', 'A|s|s|i|s|t|a|n|t'],
    ['with exclamation marks between', 'A!s!s!i!s!t!a!n!t'],
    ['with a colon', 'Assistant:'],
    ['with an apostrophe', 'Assistant’'],
    ['with a straight apostrophe', "Assistant'"],
    ['with an exclamation mark at the end', 'Assistant!'],
    ['with exclamation marks around', '¡Assistant!'],
    ['between bars', '| Assistant |'],
    ['in quotes', '“Assistant”'],
    ['in brackets', '[Assistant]'],
    ['with an at sign before', '@Assistant'],
    ['with an at sign inside', '@ssist@nt'],
    ['with dollars', 'A$$istant'],
    ['with an exclamation mark', 'Ass!stant'],
    ['with an inverted exclamation mark', 'Ass¡stant'],
    ['with a bar', 'Ass|stant'],
    ['with a bar inside and around', '|Ass|stant|'],
    ['with a broken bar', 'Ass¦stant'],
    ['with a one', 'Ass1stant'],
    ['with a star before', '★ Assistant'],
    ['with a star behind', 'Assistant ★'],
    ['with an emoji before', '🤖 Assistant'],
    ['with an emoji behind', 'Assistant ✨'],
    ['with an emoji of several characters', '👩🏽‍💻 Assistant'],
    ['with a flag before', '🇦🇹 Assistant'],
    ['with an emoji that is a letter', 'ℹ️ Assistant'],
    ['with a key before', '1️⃣ Assistant'],
    ['with a trade mark', 'Assistant™'],
    ['with accents', 'Ässïstánt'],
    ['with an accent on each side of an i', 'Assi̇̇stant'],
  ])('%s: %s', (_, name) => {
    expect(looksLikeAssistant(name)).toBe(true)
  })
})

test.each([
  'Assistanta Müller',
  'Ассоль',
  'José',
  '李小龍',
  'Amy Assis',
  'Assistance',
  'Assistant to Ada',
  'The assistants',
  'Astrid',
  'Ståle Å.',
  'Ἀριστοτέλης',
  'محمد',
  'मराठी',
  'Ill!',
  '!',
  '|',
  '★',
  '🇦🇹',
  '🤖',
  '',
  'x'.repeat(limits.personName),
])('the name %j does not look like the assistant’s', (name) => {
  expect(looksLikeAssistant(name)).toBe(false)
})

test.each([
  'dm-ada-bob',
  'DМ-ada',
  'ԁm – ada',
  '⒟⒨-ada',
  'public-files',
  'Public files!',
  '📁 public-files',
  'publιc-files',
  'public·files',
])('the channel name %j looks reserved', (name) => {
  expect(looksReserved(name)).toBe(true)
})

test.each([
  'dmitri',
  'admin-dm',
  'dm',
  'public',
  'files',
  'public-relations',
  'public files of Ada',
  'मराठी',
  '開発',
  '❤️',
])('the channel name %j is fine', (name) => {
  expect(looksReserved(name)).toBe(false)
})

test('an overlong name takes no longer than one of the maximum length', () => {
  // Each of these becomes eighteen letters.
  const long = 'ﷺ'.repeat(1_000_000)
  const start = performance.now()
  expect(looksLikeAssistant(long)).toBe(false)
  expect(looksLikeAssistant(`${'!'.repeat(1_000_000)}Assistant`)).toBe(false)
  expect(performance.now() - start).toBeLessThan(200)
})
