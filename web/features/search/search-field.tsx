import { Search } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react'
import { t } from '../../i18n/text.ts'
import { Chip, type FilterChip } from './filter-bar.tsx'
import type { Edited } from './split-query.ts'

interface Props {
  ref: RefObject<HTMLInputElement | null>
  text: string
  onType: (edited: Edited) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  chips: readonly FilterChip[]
  /** The ids of the element with the results, and of the row that Enter opens. */
  listId: string
  activeRowId: string | undefined
  hasRows: boolean
  isBusy: boolean
}

/** The field of a search, with a chip for each finished filter before the text. */
export function SearchField({ ref, text, onType, onKeyDown, chips, listId, activeRowId, hasRows, isBusy }: Props) {
  // Together with the rows, so that Enter opens one as soon as it is shown.
  useLayoutEffect(() => ref.current?.focus(), [ref])
  const filters = chips.map(({ label, meaning }) => t('search.filter', { label, meaning })).join(t('ui.listComma'))
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 py-2">
      <Search size={18} className="me-1 h-9 flex-none text-faint" />
      {chips.map((chip) => (
        <Chip key={chip.id} {...chip} />
      ))}
      <input
        ref={ref}
        role="combobox"
        aria-label={t('search.placeholder')}
        aria-expanded={hasRows}
        aria-controls={listId}
        aria-activedescendant={activeRowId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        aria-description={filters || undefined}
        placeholder={chips.length > 0 ? '' : t('search.placeholder')}
        dir="auto"
        value={text}
        onChange={({ target }) => onType({ text: target.value, caret: target.selectionStart ?? target.value.length })}
        onKeyDown={onKeyDown}
        className="h-9 min-w-32 flex-1 text-ellipsis bg-transparent text-head outline-none"
      />
      {isBusy && (
        <span
          role="status"
          className="size-4 flex-none animate-spin rounded-full border-2 border-line-strong border-t-pine"
        >
          <span className="sr-only">{t('search.searching')}</span>
        </span>
      )}
    </div>
  )
}
