import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FilterName } from '#contract/search-query'
import { t } from '../../i18n/text.ts'

export interface FilterChip {
  /** The filter as it is typed. */
  id: string
  /** 'From'. */
  label: string
  /** 'Ada Lovelace'. */
  meaning: string
  /** Before the meaning, such as the face of a person. */
  mark?: ReactNode
  onRemove: () => void
}

/** A finished filter in the field. */
export function Chip({ label, meaning, mark, onRemove }: FilterChip) {
  return (
    <button
      type="button"
      onClick={onRemove}
      className="flex h-6 min-w-0 max-w-full flex-none items-center gap-1 rounded-s border border-transparent bg-pine-wash ps-2 pe-1 text-ui transition-colors hover:bg-press pointer-coarse:h-9"
    >
      <span className="sr-only">{t('search.removeFilter', { label, meaning })}</span>
      <span aria-hidden="true" className="contents">
        <span className="text-soft">{label} </span>
        {mark}
        <bdi className="max-w-50 truncate font-[550] text-ink">{meaning}</bdi>
        <X size={14} className="text-soft" />
      </span>
    </button>
  )
}

interface Props {
  filters: readonly { name: FilterName; label: string }[]
  onBegin: (name: FilterName) => void
}

/** The filters that a search may have, below the field. */
export function FilterButtons({ filters, onBegin }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: fieldset is for forms
    <div role="group" aria-label={t('search.filters')} className="flex flex-wrap gap-1.5">
      {filters.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          onClick={() => onBegin(name)}
          className="h-6 rounded-full border border-line-strong px-2.5 font-[500] text-meta text-soft transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-9 pointer-coarse:px-3.5"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
