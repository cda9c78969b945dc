import { useRef, useState } from 'react'
import { preload } from '../../../ui/lazy/lazy.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { emojiPicker, messageMenu } from './lazy-parts.ts'
import type { Action } from './message-actions.ts'

/** What is open at a row, and what it opened from. */
export interface Popup {
  kind: 'picker' | 'menu' | 'sheet'
  anchor: HTMLElement
}

/** What is open at a row. When it closes, the focus is again where it was; the button it was opened by may be gone. */
export function usePopup() {
  const [popup, setPopup] = useState<Popup>()
  const restoreFocus = useRef(() => {})

  function open(kind: Popup['kind'], anchor: HTMLElement) {
    if (!popup) restoreFocus.current = focusKeeper(anchor)
    setPopup({ kind, anchor })
  }

  function close() {
    // Unless another one was opened out of it.
    setPopup((opened) => (opened === popup ? undefined : opened))
    // What closed gives the focus to some button of the row in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => restoreFocus.current()))
  }

  return { popup, open, close }
}

/** Remembers what has the focus; answers how to give it back, unless it is elsewhere by then. */
function focusKeeper(anchor: HTMLElement) {
  const before = document.activeElement
  const row = anchor.closest('article')
  return () => {
    const now = document.activeElement
    const isFree = now === document.body || (row?.contains(now) && !(now instanceof HTMLTextAreaElement))
    if (!isFree || before === document.body) return
    const wanted = before instanceof HTMLElement && before.isConnected ? before : row
    wanted?.focus({ preventScroll: true })
  }
}

/** Asks for the code of what is about to be opened. */
export function fetchPopup(kind: 'picker' | 'menu') {
  void (kind === 'picker' ? preload(emojiPicker) : preload(messageMenu))
}

interface Props {
  popup: Popup
  person: string
  actions: readonly Action[]
  onReact: (emoji: string) => void
  onClose: () => void
}

export function MessagePopup({ popup: { kind, anchor }, person, actions, onReact, onClose }: Props) {
  const common = { anchor, onClose }
  if (kind === 'picker')
    return <LazyDialog key={kind} load={emojiPicker} person={person} onPick={onReact} {...common} />
  const isSheet = kind === 'sheet'
  return <LazyDialog key={kind} load={messageMenu} actions={actions} onReact={onReact} isSheet={isSheet} {...common} />
}
