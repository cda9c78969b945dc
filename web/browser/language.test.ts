import { afterEach, expect, test, vi } from 'vitest'
import { bestLanguage, language, showLanguage } from '../i18n/language.ts'
import { tryUserLanguage } from './language.ts'

afterEach(async () => {
  vi.unstubAllGlobals()
  await showLanguage('en')
})

test('a server that has no languages yet does not change the one that is shown', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('navigator', { languages: ['fr'] })
  await tryUserLanguage('de')
  await tryUserLanguage(undefined)
  expect(language()).toBe('de')
  await tryUserLanguage(null)
  expect(language()).toBe('fr')
})

test('a language that Parley does not speak is English, and so is the name of something else', () => {
  expect(bestLanguage(['mt-MT'])).toBe('en')
  expect(bestLanguage(['toString', 'de-AT'])).toBe('de')
  expect(bestLanguage(['valueOf'])).toBe('en')
})
