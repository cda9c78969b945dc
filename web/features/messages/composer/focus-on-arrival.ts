import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { isFieldChosen } from '../../../ui/device/buffered-keys.ts'
import { isTouch } from '../../../ui/device/media.ts'

export interface Arrival {
  /** The parent, for a reply. */
  threadId: string | null
  /** Whether the composer appears later than the page: by then the user may be busy with something else. */
  isLate: boolean
  /** Whether the app redirected the user back here: their keystrokes may be meant for the page they wanted. */
  isBack: boolean
  /** Whether the composer may take the focus. */
  canTakeFocus: boolean
}

/** Focuses the composer when the user opens a conversation or closes a thread beside it. */
export function useFocusOnArrival(
  textarea: RefObject<HTMLTextAreaElement | null>,
  { threadId, isLate, isBack, canTakeFocus }: Arrival,
) {
  const isArrival = useNavigationType() !== 'POP'
  const { search } = useLocation()
  /** While a thread is open, its composer takes the focus instead of this one. */
  const isBesideThread = !threadId && search.includes('thread=')
  const hasAppeared = useRef(isLate || isBesideThread)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first run depends on how the user came here
  useEffect(() => {
    if (!canTakeFocus || isBesideThread || isBack || isTouch()) return
    // Users open a conversation to write, but the composer must not take the focus from another field, or from
    // a button whose menu is still loading.
    const focused = document.activeElement
    const isElsewhere = hasAppeared.current
      ? focused !== document.body
      : focused?.closest('input, textarea, article, [role=dialog], [data-asked]')
    if (isArrival && !hasAppeared.current ? !isFieldChosen() : !isElsewhere) textarea.current?.focus()
    hasAppeared.current = true
  }, [isBesideThread])
}
