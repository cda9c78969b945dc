import { type ReactNode, useEffect, useRef, useState } from 'react'

// A list below a field that keeps the focus. The field names the active row in `aria-activedescendant`.

/** The id of a row's element. */
export const optionId = (listId: string, rowId: string) => `${listId}-${rowId}`

interface Options {
  /** What the rows match. When it changes, the first row is active again. */
  sought: string
  /** The row that is active at first, if it is listed. */
  startId?: string | undefined
}

/** The active row: the first one until the user moves, then theirs, even if the rows around it change. */
export function useActiveRow<T extends { id: string }>(rows: readonly T[], { sought, startId }: Options) {
  const [chosen, setChosen] = useState({ sought, id: startId })
  const found = chosen.sought === sought ? rows.findIndex((row) => row.id === chosen.id) : -1
  const index = Math.max(0, found)
  const activate = (id: string | undefined) => setChosen({ sought, id })

  /** Moves by an arrow key, around the ends. Returns whether the key is one. */
  function moveByKey(key: string) {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return false
    const to = index + (key === 'ArrowDown' ? 1 : -1)
    activate(rows.at(to % rows.length)?.id)
    return true
  }

  return { active: rows[index], isChosen: found >= 0, activate, moveByKey }
}

interface RowProps {
  /** From `optionId`. */
  id: string
  isActive: boolean
  /** Called when the pointer moves over the row. */
  onPoint: () => void
  onClick: () => void
  className: string
  children: ReactNode
}

export function OptionRow({ id, isActive, onPoint, onClick, className, children }: RowProps) {
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
      // Not onPointerEnter, and only with a movement: the row may move under a resting pointer.
      onPointerMove={({ movementX, movementY }) => (movementX || movementY) && onPoint()}
      onClick={onClick}
      className={`${className} ${isActive ? 'bg-selected' : ''}`}
    >
      {children}
    </div>
  )
}
