import { type FilterName, filterBefore, readQuery, type SearchFilter } from '#contract/search-query'

interface SplitQuery {
  /** The finished filters, which are shown as chips. */
  filters: SearchFilter[]
  /** The rest of the query, as it is edited. */
  text: string
}

/** Splits a query. A filter is finished if white space follows it and its value is known. */
export function splitQuery(query: string, isKnown: (filter: SearchFilter) => boolean): SplitQuery {
  const filters = readQuery(query).filters.filter(
    (filter) => /\s/.test(query[filter.at + filter.text.length] ?? '') && isKnown(filter),
  )
  const text = filters.reduceRight(
    (rest, filter) => rest.slice(0, filter.at) + rest.slice(filter.at + filter.text.length + 1),
    query,
  )
  return { filters, text }
}

export const joinQuery = (filters: readonly Pick<SearchFilter, 'text'>[], text: string) =>
  [...filters.map((filter) => filter.text), text].join(' ')

/** A query with its last filter finished. */
export const finished = (query: string) => (readQuery(`${query} `).filters.length > 0 ? `${query} ` : query)

/** A text with its caret. */
export interface Edited {
  text: string
  caret: number
}

/** Begins a filter at the caret, replacing one that is being typed there. */
export function beginFilter({ text, caret }: Edited, name: FilterName): Edited {
  const before = textBefore({ text, caret })
  const begun = `${before}${/\S$/.test(before) ? ' ' : ''}${name}:`
  const after = text.slice(caret)
  return { text: begun + (/^\S/.test(after) ? ` ${after}` : after), caret: begun.length }
}

/** Completes the filter that is being typed before the caret. */
export function completeFilter({ text, caret }: Edited, filter: string): Edited {
  const before = textBefore({ text, caret })
  return { text: `${before}${filter} ${text.slice(caret).trimStart()}`, caret: before.length + filter.length + 1 }
}

/** The text before the caret and before the filter that is being typed there. */
function textBefore({ text, caret }: Edited) {
  const typed = filterBefore(text, caret)
  return typed ? text.slice(0, typed.start - typed.name.length - 1) : text.slice(0, caret)
}

/** The text without the filter that is being typed, which has no value yet. */
export const withoutTypedFilter = (edited: Edited) => textBefore(edited) + edited.text.slice(edited.caret)
