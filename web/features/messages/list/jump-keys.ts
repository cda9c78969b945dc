import { useEffect, useEffectEvent } from 'react'

interface Jumps {
  toLatest: () => void
  toFirstUnread: () => void
}

/** End and Shift+PageUp lead through the conversation, unless they move the caret in something that was written. */
export function useListKeys({ toLatest, toFirstUnread }: Jumps) {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, target } = event
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || isElsewhere(target)) return
    const jump = key === 'End' && !shiftKey ? toLatest : key === 'PageUp' && shiftKey ? toFirstUnread : undefined
    if (!jump) return
    event.preventDefault()
    jump()
  })
  useEffect(() => {
    window.addEventListener('keydown', hear)
    return () => window.removeEventListener('keydown', hear)
  }, [])
}

/** In a panel or over the page, or in a text that has somewhere to go. */
function isElsewhere(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('aside, [role=dialog], [role=menu], [role=listbox]')) return true
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return target.isContentEditable || (isText && target.value !== '')
}
