import { readTabItem, saveTabItem } from '../../ui/device/local-storage.ts'

/** A search that was left by going to a result. */
export interface SearchLeft {
  query: string
  /** The result's. */
  id: string
}

/** What the history's entry holds of it. The text is not in there, because the history outlives a sign-out. */
export interface SearchMark {
  person: string
  /** What the text is kept by in this tab. */
  key: string
  id: string
}

/** Searches of which a tab knows the text. */
const MAX_LEFT = 20

const nameOf = (person: string) => `parley.searched.${person}`

/** The latest first. */
const textsOf = (person: string): [key: string, query: string][] => JSON.parse(readTabItem(nameOf(person)) ?? '[]')

/** Keeps the text of a search in this tab, until its person signs out. */
export const leaveSearch = ({ person, key }: SearchMark, query: string) =>
  saveTabItem(nameOf(person), JSON.stringify([[key, query], ...textsOf(person)].slice(0, MAX_LEFT)))

/** The search of an entry of the history; undefined where its text is not kept any more. */
export function searchLeft({ person, key, id }: SearchMark): SearchLeft | undefined {
  const [, query] = textsOf(person).find(([it]) => it === key) ?? []
  return query === undefined ? undefined : { query, id }
}
