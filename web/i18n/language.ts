import { loaders } from 'virtual:languages'
import { createContext, useContext, useSyncExternalStore } from 'react'
import { addTexts, startTexts } from './text.ts'

let current: { code: string; direction: 'ltr' | 'rtl'; locale: string } | undefined
/** The rest of the current language's texts, once asked for. */
let rest: Promise<void> | undefined
const changes = new EventTarget()

/** The language that is shown: 'en', 'ar', … */
export const language = () => current?.code ?? 'en'
export const direction = () => current?.direction ?? 'ltr'
/**
 * The locale for dates, numbers and sorting: the browser's own variety of the language, such as 'en-GB', or else the
 * language.
 */
export const locale = () => current?.locale ?? 'en'

/** The language that the app was rendered in. */
export const LanguageContext = createContext('en')

/**
 * Texts are read while rendering, so another language renders the app again. Call this where `memo` or `useMemo` would
 * keep something that contains texts.
 */
export const useLanguage = () => useContext(LanguageContext)

/** For the root of the app: the language to provide. */
export const useShownLanguage = () => useSyncExternalStore(watch, language)

/** The first of these languages that is supported, or English. 'de-AT' falls back to 'de'. */
export const bestLanguage = (wanted: readonly (string | null | undefined)[]) =>
  wanted.flatMap((it) => (it ? [it, baseOf(it)] : [])).find((it) => Object.hasOwn(loaders, it)) ?? 'en'

/** Loads a language's texts, so that it can be shown at once. Rejects if they cannot be loaded. */
export async function loadLanguage(code: string) {
  const [loadFirst, loadRest] = loaders[code] ?? []
  if (!loadFirst) throw new Error(`There is no language '${code}'`)
  const [first, others] = await Promise.all([loadFirst(), rest && loadRest?.()])
  return { first, others }
}

let shows = 0

/** Shows a language once its texts have loaded. Rejects if they cannot be loaded; the language stays then. */
export async function showLanguage(code: string): Promise<void> {
  const turn = ++shows
  if (code === current?.code) return
  let { first, others } = await loadLanguage(code)
  // A part of the app has requested the rest in the meantime.
  if (rest && !others) ({ first, others } = await loadLanguage(code))
  // Another one was chosen in the meantime.
  if (turn !== shows) return
  current = { code, direction: first.direction, locale: localeOf(code) }
  startTexts(current.locale, first.direction)
  addTexts(first.default)
  rest = others && Promise.resolve(addTexts(others.default))
  changes.dispatchEvent(new Event('change'))
}

/** Loads the texts beyond the first page's. Rejects if they cannot be loaded. */
export function loadAllTexts(): Promise<void> {
  const shown = current
  rest ??= loaders[language()]?.[1]().then(
    ({ default: texts }) => {
      if (shown === current) addTexts(texts)
    },
    (error) => {
      if (shown === current) rest = undefined
      throw error
    },
  )
  return rest ?? Promise.resolve()
}

/** Loads a lazy part of the app together with its texts. */
export const withTexts = <Part>(load: () => Promise<Part>): Promise<Part> =>
  Promise.all([load(), loadAllTexts()]).then(([part]) => part)

const localeOf = (code: string) => navigator.languages.find((it) => baseOf(it) === baseOf(code) && isLocale(it)) ?? code

/** Some browsers list entries that are not locales, such as 'en-US@posix'. */
function isLocale(code: string) {
  try {
    return Intl.getCanonicalLocales(code).length > 0
  } catch {
    return false
  }
}

const baseOf = (code: string) => code.split('-')[0] ?? code

function watch(notify: () => void) {
  changes.addEventListener('change', notify)
  return () => changes.removeEventListener('change', notify)
}
