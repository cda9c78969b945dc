import { readTabItem, saveTabItem } from '../../ui/device/local-storage.ts'

/** A search that the user left by opening a result. */
export interface SavedSearch {
  query: string
  /** The id of the opened result. */
  id: string
}

/** Refers to a search from a history entry. It has no text, because the history outlives a sign-out. */
export interface SavedSearchKey {
  person: string
  /** The key of the text in this tab. */
  key: string
  id: string
}

const MAX_SAVED = 20

const storageKeyOf = (person: string) => `parley.searched.${person}`

/** The latest first. */
const textsOf = (person: string): [key: string, query: string][] =>
  JSON.parse(readTabItem(storageKeyOf(person)) ?? '[]')

/** Stores the text of a search in this tab until the user signs out. */
export const saveSearch = ({ person, key }: SavedSearchKey, query: string) =>
  saveTabItem(storageKeyOf(person), JSON.stringify([[key, query], ...textsOf(person)].slice(0, MAX_SAVED)))

/** The search of a history entry; undefined if its text is gone. */
export function savedSearch({ person, key, id }: SavedSearchKey): SavedSearch | undefined {
  const [, query] = textsOf(person).find(([other]) => other === key) ?? []
  return query === undefined ? undefined : { query, id }
}
