import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { type Entered, typedOn, typeOn } from './entered.ts'
import type { Edited } from './split-query.ts'

interface Options {
  /** The whole query, with its filters. */
  query: string
  edited: Edited
  onEdit: (edited: Edited) => void
  /** Whether the row that Enter opens is known. */
  isReady: boolean
  open: () => void
}

/** An Enter that waits for the results, and the text typed after it. */
export function useEntered({ query, edited, onEdit, isReady, open }: Options) {
  const [entered, setEntered] = useState<Entered>()
  // Removing a filter in the meantime makes it another search.
  const waiting = entered?.query === query ? entered : undefined
  /** An Enter that is over; the text typed after it still has to be added. */
  const [over, setOver] = useState<Entered>()
  const isOver = entered !== undefined && (isReady || !waiting)
  const go = useEffectEvent(() => {
    setEntered(undefined)
    setOver(entered)
    if (waiting) open()
  })
  const typeMore = useEffectEvent(() => {
    setOver(undefined)
    if (over?.more) onEdit(typedOn(over, edited))
  })
  // Layout effects, so that the next key finds the updated text.
  useLayoutEffect(() => {
    if (isOver) go()
  }, [isOver])
  useLayoutEffect(() => {
    if (over) typeMore()
  }, [over])

  return {
    /** The text of the field. */
    shown: waiting ? typedOn(waiting, edited) : edited,
    /** @param caret where it was pressed */
    enter(caret: number) {
      setEntered(waiting ?? { query, at: { text: edited.text, caret }, more: '' })
    },
    type(next: Edited) {
      const still = waiting && typeOn(waiting, next)
      setEntered(still)
      if (!still) onEdit(next)
    },
    forget: () => setEntered(undefined),
  }
}
