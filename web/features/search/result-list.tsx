import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/text.ts'

export interface SearchRow {
  id: string
  content: ReactNode
  act: () => void
}

export interface SearchGroup {
  name: string
  rows: readonly SearchRow[]
}

interface Props {
  /** Of the list's element; rows have theirs from `rowId`. */
  id: string
  groups: readonly SearchGroup[]
  activeId: string | undefined
  onPoint: (id: string) => void
  isBusy: boolean
}

export const rowId = (listId: string, { id }: SearchRow) => `${listId}-${id}`

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
                <Row
                  key={row.id}
                  id={rowId(id, row)}
                  isActive={row.id === activeId}
                  onPoint={() => onPoint(row.id)}
                  onClick={row.act}
                >
                  {row.content}
                </Row>
              ))}
            </div>
          ),
      )}
    </div>
  )
}

/** The row that Enter opens: the first one until the user moves, then theirs, even if the results around it change. */
export function useActive(rows: readonly SearchRow[], query: string, startId: string | undefined) {
  const [chosen, setChosen] = useState({ query, id: startId })
  const id = chosen.query === query ? chosen.id : undefined
  const found = rows.findIndex((row) => row.id === id)
  const index = Math.max(0, found)
  const setActive = (to: string | undefined) => setChosen({ query, id: to })
  const step = (by: number) => setActive(rows[(index + by + rows.length) % Math.max(1, rows.length)]?.id)
  return { active: rows[index], isChosen: found >= 0, setActive, step }
}

interface RowProps {
  id: string
  isActive: boolean
  onPoint: () => void
  onClick: () => void
  children: ReactNode
}

function Row({ id, isActive, onPoint, onClick, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      // Not onPointerEnter, which also fires when a row moves under a resting pointer.
      onPointerMove={onPoint}
      onClick={onClick}
      className={`mx-1.5 scroll-my-9 rounded-m px-2.5 ${isActive ? 'bg-selected' : ''}`}
    >
      {children}
    </div>
  )
}
