import { readJson, saveItem } from '../../ui/device/local-storage.ts'

const MAX_RECENT = 5
const keyOf = (userId: string) => `parley.searches.${userId}`

/** A user's searches on this device that led to a result, newest first. */
export function recentSearches(userId: string): string[] {
  const stored = readJson(keyOf(userId))
  return Array.isArray(stored) ? stored.filter((query) => typeof query === 'string') : []
}

export function rememberSearch(userId: string, query: string) {
  const others = recentSearches(userId).filter((other) => other !== query)
  saveItem(keyOf(userId), JSON.stringify([query, ...others].slice(0, MAX_RECENT)))
}
