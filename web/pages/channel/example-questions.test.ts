import { afterEach, expect, test } from 'vitest'
import { loadAllTexts, showLanguage } from '../../i18n/language.ts'
import { examplesFor, writtenForm } from './example-questions.ts'

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
