import { useSyncExternalStore } from 'react'
import { bestLanguage, loadLanguage, showLanguage } from '../i18n/language.ts'
import { readItem, saveItem } from '../ui/device/local-storage.ts'
import { createWatchers } from '../ui/watchers.ts'

const KEY = 'parley.language'
const RETRY_MS = 2000

let chosen: string | null = null
const { watch, notify } = createWatchers()

/** The language that the user has chosen; null for the browser's. */
export const useChosenLanguage = () => useSyncExternalStore(watch, () => chosen)

let shown: Promise<void> | undefined

/** Shows the language of this device's last page, or else the browser's. Retries until its texts have loaded. */
export function showDeviceLanguage() {
  shown ??= retryShowing()
  return shown
}

async function retryShowing() {
  for (;;) {
    try {
      return await show(readItem(KEY))
    } catch (error) {
      console.error('Failed to load the texts of the page:', error)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/**
 * Shows a user's language, here and on this device's next page.
 * @param language null for the browser's
 * @throws if its texts cannot be loaded; the language stays then
 */
export async function showUserLanguage(language: string | null) {
  // The page always has texts, even if this language's cannot be loaded.
  await showDeviceLanguage()
  if (language !== chosen) {
    chosen = language
    notify()
  }
  await show(language)
  if (language === chosen) saveItem(KEY, language ?? undefined)
}

/**
 * Like `showUserLanguage`, but never throws: if the texts cannot be loaded, the language stays. It also stays if the server
 * is an older one, which has no languages.
 */
export async function tryUserLanguage(language: string | null | undefined) {
  if (language === undefined) return
  try {
    await showUserLanguage(language)
  } catch (error) {
    console.error('Failed to load the texts of the language:', error)
  }
}

/** Loads the texts of a choice, so that it can be shown at once. @throws if its texts cannot be loaded */
export const loadUserLanguage = (language: string | null) => loadLanguage(bestFor(language))

const bestFor = (language: string | null | undefined) => bestLanguage([language, ...navigator.languages])

const show = (language: string | null | undefined) => showLanguage(bestFor(language))
