import { afterEach, expect, test, vi } from 'vitest'
import { bestLanguage, language, showLanguage } from '../i18n/language.ts'
import { tryUserLanguage } from './language.ts'

afterEach(async () => {
  vi.unstubAllGlobals()
  await showLanguage('en')
})

test('a server without languages does not change the language that is shown', async () => {
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('navigator', { languages: ['fr'] })
  await tryUserLanguage('de')
  await tryUserLanguage(undefined)
  expect(language()).toBe('de')
  await tryUserLanguage(null)
  expect(language()).toBe('fr')
})

test('unknown languages and names of other properties fall back to English', () => {
  expect(bestLanguage(['mt-MT'])).toBe('en')
  expect(bestLanguage(['toString', 'de-AT'])).toBe('de')
  expect(bestLanguage(['valueOf'])).toBe('en')
})
