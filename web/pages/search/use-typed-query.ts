import { useState } from 'react'
import { filterBefore, type SearchFilter } from '#contract/search-query'
import { type Edited, joinQuery, splitQuery, withoutTypedFilter } from '../../features/search/split-query.ts'
import { useFilterMeaning, useFilterRows } from './search-filters.tsx'

/** The query that is being typed: finished filters, which are chips, and the text after them. */
export function useTypedQuery(initial: () => string) {
  const [query, setQuery] = useState(initial)
  const [typedCaret, setCaret] = useState<number>()
  const meaningOf = useFilterMeaning()
  const isKnown = (filter: SearchFilter) => meaningOf(filter) !== undefined
  const { filters, text } = splitQuery(query, isKnown)
  const edited = { text, caret: Math.min(typedCaret ?? text.length, text.length) }
  const filterRows = useFilterRows(edited, write)
  const isComplete = splitQuery(`${text.slice(0, edited.caret)} `, isKnown).filters.length > 0
  const isFilterTyped = filterRows.length > 0 && !isComplete

  /** Changes the text; a filter that is finished by it becomes a chip. */
  function write({ text, caret }: Edited) {
    setQuery(joinQuery(filters, text))
    setCaret(splitQuery(text.slice(0, caret), isKnown).text.length)
  }

  function replace(next: string, caret?: number) {
    setQuery(next)
    setCaret(caret)
  }

  const chips = filters.map((filter) => ({
    id: `${filter.at} ${filter.text}`,
    ...(meaningOf(filter) ?? { label: '', meaning: '' }),
    onRemove: () => {
      const others = filters.filter((other) => other !== filter)
      replace(joinQuery(others, text), 0)
    },
  }))

  return {
    query,
    /** The query to search for, without a filter that is still being typed. */
    asked: (isFilterTyped ? joinQuery(filters, withoutTypedFilter(edited)) : query).trim(),
    text,
    edited,
    chips,
    /** Completions of the filter that is being typed. */
    filterRows,
    /** The filter that they complete. */
    filterName: filterBefore(edited.text, edited.caret)?.name,
    isFilterTyped,
    write,
    replace,
  }
}
