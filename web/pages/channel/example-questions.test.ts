import { afterEach, expect, test } from 'vitest'
import { loadAllTexts, showLanguage } from '../../i18n/language.ts'
import { examplesFor, filledIn, searchExamples, topicOf, writtenForm } from './example-questions.ts'

afterEach(() => showLanguage('en'))

test('a written question has no direction marks in any language', async () => {
  await loadAllTexts()
  const channels = [{ name: 'general', isMember: true, unread: 1 }]
  expect(examplesFor(channels).map(writtenForm)[0]).toBe('What did I miss in #general?')
  await showLanguage('ar')
  const [question = ''] = examplesFor(channels)
  expect(question).toContain('\u2068#general\u2069')
  expect(writtenForm(question)).toMatch(/^[^\u2068\u2069]*#general[^\u2068\u2069]*$/)
})

test('without a model the examples are searches, with a blank where the caret goes', async () => {
  await loadAllTexts()
  const channels = [{ name: 'design', isMember: true, unread: 1 }]
  const [about = '', aboutIn = '', blank = ''] = searchExamples(channels, 'Gangway')
  expect(about).toBe('Find messages about Gangway')
  expect(filledIn(aboutIn)).toEqual({ text: 'Find messages about  in #design', caret: 20 })
  expect(filledIn(blank)).toEqual({ text: 'Find messages about ', caret: 20 })
  expect(searchExamples([], undefined)).toEqual(['Find messages about …'])
  await showLanguage('ja')
  expect(filledIn(searchExamples([], undefined)[0] ?? '').caret).toBe(0)
})

test('a topic is a name in the middle of a sentence that several messages have', () => {
  expect(topicOf(['We ship Gangway today', 'is Gangway ready, Bob?', 'Tomorrow Bob is out'])).toBe('Gangway')
  expect(topicOf(['Gangway Gangway', 'Hello', 'Hello', 'see you', 'see you'])).toBeUndefined()
  expect(topicOf([])).toBeUndefined()
})
