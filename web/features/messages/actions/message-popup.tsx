import { useContext, useState } from 'react'
import type { Message } from '#contract/messages'
import { useMe } from '../../../me.tsx'
import { useAfterClose } from '../../../ui/dialog/after-close.ts'
import { preload } from '../../../ui/lazy/lazy.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { ForwardLoader } from './forward-loader.ts'
import { emojiPicker, historyDialog, messageMenu, reminderDialog } from './lazy-parts.ts'
import type { Action, RowPopup } from './message-actions.ts'

/** The popup that is open at a row, and the element that it opened from. */
export interface Popup {
  kind: RowPopup | 'menu' | 'sheet'
  anchor: HTMLElement
  restoreFocus: () => void
}

/** Whether a popup was opened from the button beside the reactions. */
const isChip = (anchor: HTMLElement) => anchor.dataset['addReaction'] !== undefined

/** Opens a row's popups. When one closes, the focus returns to where it was, even if the button is gone. */
export function usePopup() {
  const [popup, setPopup] = useState<Popup>()

  function open(kind: Popup['kind'], anchor: HTMLElement) {
    setPopup({ kind, anchor, restoreFocus: popup?.restoreFocus ?? focusKeeper(anchor) })
  }

  function close() {
    // Another popup may have replaced it.
    setPopup((opened) => (opened === popup ? undefined : opened))
  }

  return { popup, isFromChip: popup !== undefined && isChip(popup.anchor), open, close }
}

/** Remembers the focused element; returns a function that restores the focus, unless it has moved elsewhere. */
function focusKeeper(anchor: HTMLElement) {
  const before = document.activeElement
  const row = anchor.closest('article')
  return () => {
    const now = document.activeElement
    const isFree = now === document.body || (row?.contains(now) && !(now instanceof HTMLTextAreaElement))
    if (!isFree || before === document.body) return
    const target = before instanceof HTMLElement && before.isConnected ? before : row
    target?.focus({ preventScroll: true })
  }
}

/** Prefetches the code of a popup that is about to open. */
export function fetchPopup(kind: 'picker' | 'menu') {
  void (kind === 'picker' ? preload(emojiPicker) : preload(messageMenu))
}

interface Props {
  popup: Popup
  message: Message
  actions: readonly Action[]
  onReact: (emoji: string) => void
  onClose: () => void
}

export function MessagePopup({ popup: { kind, anchor, restoreFocus }, message, actions, onReact, onClose }: Props) {
  const { id: person } = useMe()
  const forward = useContext(ForwardLoader)
  // The closing popup first focuses a button of the row.
  useAfterClose(restoreFocus)
  const common = { anchor, onClose }
  if (kind === 'picker')
    return (
      <LazyDialog
        key={kind}
        load={emojiPicker}
        person={person}
        onPick={onReact}
        opensBehind={isChip(anchor)}
        {...common}
      />
    )
  if (kind === 'reminder')
    return <LazyDialog key={kind} load={reminderDialog} messageId={message.id} onClose={onClose} />
  if (kind === 'forward') return forward && <LazyDialog key={kind} load={forward} message={message} onClose={onClose} />
  if (kind === 'history') {
    const canEdit = actions.some(({ id }) => id === 'edit')
    return <LazyDialog key={kind} load={historyDialog} message={message} canRestore={canEdit} onClose={onClose} />
  }
  const isSheet = kind === 'sheet'
  return (
    <LazyDialog
      key={kind}
      load={messageMenu}
      actions={actions}
      person={person}
      onReact={onReact}
      isSheet={isSheet}
      {...common}
    />
  )
}
