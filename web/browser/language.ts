import { bestLanguage, direction, locale, showLanguage } from '../i18n/language.ts'
import { readItem, saveItem } from '../ui/device/local-storage.ts'

const KEY = 'parley.language'
const RETRY_MS = 2000

/** Shows the language of this device's last page, or else the browser's. Retries until its texts have loaded. */
export async function showDeviceLanguage() {
  for (;;) {
    try {
      return await show(readItem(KEY))
    } catch (error) {
      console.error('The texts of the page could not be loaded:', error)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/**
 * Shows a user's language, here and on this device's next page.
 * @param chosen null for the browser's
 * @throws if its texts cannot be loaded
 */
export async function showUserLanguage(chosen: string | null) {
  await show(chosen)
  saveItem(KEY, chosen ?? undefined)
}

async function show(chosen: string | null | undefined) {
  await showLanguage(bestLanguage([chosen, ...navigator.languages]))
  document.documentElement.lang = locale()
  document.documentElement.dir = direction()
}
