import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Texts } from './text.ts'

/** The requested texts, with functions that deliver them or let them fail. */
const asked = new Map<string, { come: () => void; fail: () => void }>()

function loader(code: string, part: 'first' | 'rest') {
  const named = part === 'first' ? { 'ui.save': `save-${code}` } : { 'ui.undo': `undo-${code}` }
  return () =>
    new Promise<{ default: Texts; direction: 'ltr' | 'rtl' }>((resolve, reject) => {
      const come = () => resolve({ default: { start: 0, numbered: [], named }, direction: 'ltr' })
      asked.set(`${code} ${part}`, { come, fail: () => reject(new Error('no connection')) })
    })
}

vi.mock('virtual:languages', () => {
  const codes = ['en', 'de', 'ja']
  return { loaders: Object.fromEntries(codes.map((code) => [code, [loader(code, 'first'), loader(code, 'rest')]])) }
})

/** A page that shows German, without the rest of its texts. */
async function germanPage() {
  const { showLanguage, ...page } = await import('./language.ts')
  const { t } = await import('./text.ts')
  const show = async (code: string) => {
    const shown = showLanguage(code)
    await come(`${code} first`)
    return shown
  }
  await show('de')
  return { ...page, showLanguage, show, t }
}

async function come(texts: string) {
  await vi.waitFor(() => expect(asked.has(texts)).toBe(true))
  asked.get(texts)?.come()
}

beforeEach(() => {
  asked.clear()
  vi.resetModules()
})
afterEach(() => vi.unstubAllGlobals())

test('the last choice counts, even if it is the language that is still shown', async () => {
  const { showLanguage, language } = await germanPage()
  const slow = showLanguage('ja')
  await showLanguage('de')
  await come('ja first')
  await slow
  expect(language()).toBe('de')
})

test('a language includes the texts of a part that was loaded in the meantime', async () => {
  const { showLanguage, loadAllTexts, withTexts, t } = await germanPage()
  const shown = showLanguage('ja')
  const part = withTexts(() => Promise.resolve('a part'))
  await come('de rest')
  await part
  await come('ja first')
  // It is loaded once more, with the rest.
  asked.delete('ja first')
  await vi.waitFor(() => expect([...asked.keys()]).toContain('ja rest'))
  await come('ja first')
  await come('ja rest')
  await shown
  await loadAllTexts()
  expect([t('ui.save'), t('ui.undo')]).toEqual(['save-ja', 'undo-ja'])
})

test('texts that fail to load after a change of the language do not affect the next language', async () => {
  const { showLanguage, show, loadAllTexts, t } = await germanPage()
  const late = loadAllTexts()
  const toJapanese = showLanguage('ja')
  await come('ja first')
  await come('ja rest')
  await toJapanese
  asked.get('de rest')?.fail()
  await expect(late).rejects.toThrow('no connection')
  const toEnglish = show('en')
  await come('en rest')
  await toEnglish
  expect(t('ui.undo')).toBe('undo-en')
})

test('only supported languages are shown, whatever was stored', async () => {
  const { bestLanguage } = await germanPage()
  for (const code of ['constructor', '__proto__', 'toString', '../de', '', null])
    expect(bestLanguage([code])).toBe('en')
  expect(bestLanguage(['constructor', 'ja-JP'])).toBe('ja')
})

test('formats skip browser languages that are not locales', async () => {
  vi.stubGlobal('navigator', { languages: ['de-DE@posix', 'en-US', 'de-AT'] })
  const { locale, show } = await germanPage()
  expect(locale()).toBe('de-AT')
  vi.stubGlobal('navigator', { languages: ['en@posix'] })
  await show('en')
  expect(locale()).toBe('en')
})
