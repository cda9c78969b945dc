import { useEffect, useEffectEvent } from 'react'

interface Jumps {
  toLatest: () => void
  toFirstUnread: () => void
}

/** End jumps to the latest message, Shift+PageUp to the first unread one, unless they move the caret in a text. */
export function useJumpKeys({ toLatest, toFirstUnread }: Jumps) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || isElsewhere(target)) return
    if (key === 'End' && !shiftKey) toLatest()
    else if (key === 'PageUp' && shiftKey) toFirstUnread()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether the target is in a panel, a popup, or a text field that is not empty. */
function isElsewhere(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('aside, [role=dialog], [role=menu], [role=listbox]')) return true
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return target.isContentEditable || (isText && target.value !== '')
}
