import { useState } from 'react'

interface Row {
  id: string
}

interface Chosen {
  sought: string
  id: string | undefined
}

interface Options {
  /** The query that the rows match. When it changes, the first row is active again. */
  sought: string
  /** The row that is active at first, if it is listed. */
  startId?: string | undefined
}

/**
 * The active row of a list below a field that keeps the focus, and names the row in `aria-activedescendant`: the first one
 * until the user moves, then the one they chose, even if the rows around it change.
 */
export function useActiveRow<T extends Row>(rows: readonly T[], { sought, startId }: Options) {
  const [chosen, setChosen] = useState<Chosen>({ sought, id: startId })
  const found = indexOfChosen(rows, chosen, sought)
  const index = Math.max(0, found)
  const activate = (id: string | undefined) => setChosen({ sought, id })

  /** Moves on arrow keys and wraps around. Returns whether the key was one. */
  function moveByKey(key: string) {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return false
    activate(rowBeside(rows, index, key === 'ArrowDown' ? 1 : -1)?.id)
    return true
  }

  return { active: rows[index], isChosen: found >= 0, activate, moveByKey }
}

/** -1 if the user chose none of these rows, or chose with another query. */
export const indexOfChosen = (rows: readonly Row[], chosen: Chosen, sought: string) =>
  chosen.sought === sought ? rows.findIndex(({ id }) => id === chosen.id) : -1

/** The next or previous row; wraps around. */
export const rowBeside = <T extends Row>(rows: readonly T[], index: number, by: 1 | -1): T | undefined =>
  rows.at((index + by) % rows.length)
