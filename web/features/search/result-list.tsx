import type { ReactNode } from 'react'
import { t } from '../../i18n/text.ts'
import { OptionRow, optionId } from '../../ui/list/option-row.tsx'

export interface SearchRow {
  id: string
  content: ReactNode
  /** Whether it only completes the query. */
  completes?: boolean
  act: () => void
}

export interface SearchGroup {
  name: string
  rows: readonly SearchRow[]
}

interface Props {
  /** The id of the list's element; those of rows are from `optionId`. */
  id: string
  groups: readonly SearchGroup[]
  activeId: string | undefined
  onPoint: (id: string) => void
  isBusy: boolean
}

/** The results by group, best first. */
export function ResultList({ id, groups, activeId, onPoint, isBusy }: Props) {
  return (
    <div id={id} role="listbox" aria-label={t('search.results')} aria-busy={isBusy}>
      {groups.map(
        (group) =>
          group.rows.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: fieldset is for forms
            <div key={group.name} role="group" aria-label={group.name}>
              <div aria-hidden="true" className="px-4 pt-3 pb-1 font-[600] text-faint text-micro tracking-[0.05em]">
                {group.name}
              </div>
              {group.rows.map((row) => (
                <OptionRow
                  key={row.id}
                  id={optionId(id, row.id)}
                  isActive={row.id === activeId}
                  onPoint={() => onPoint(row.id)}
                  onClick={row.act}
                  // On touch, rows are tapped: one in another colour would look pressed.
                  className="mx-1.5 scroll-my-9 rounded-m px-2.5 pointer-coarse:bg-transparent"
                >
                  {row.content}
                </OptionRow>
              ))}
            </div>
          ),
      )}
    </div>
  )
}
