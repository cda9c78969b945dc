import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect } from 'react'
import { pressedKeys } from '../../../browser/shortcuts.ts'
import { changeText } from './edit-text.ts'
import { toggleFormatRow } from './format-row.tsx'
import { markForKey } from './mark-keys.ts'

/** Loads the code that isn't needed before the page is idle. */
const loadEditing = async () => ({
  ...(await import('./format-toggle.ts')),
  ...(await import('./list-continuation.ts')),
  ...(await import('./paste-link.ts')),
})

let editing: Partial<Awaited<ReturnType<typeof loadEditing>>> = {}

/** Prefetches the code for formatting, lists and links, so that the first key doesn't wait for it. */
export async function preloadFormatting() {
  try {
    editing = await loadEditing()
  } catch (error) {
    console.error('Failed to load formatting:', error)
  }
}

/** Handles shortcuts that format the selection or toggle the formatting buttons. Returns whether the key was one. */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (pressedKeys(event) === 'Mod,Shift,x') {
    event.preventDefault()
    toggleFormatRow()
    return true
  }
  const mark = markForKey(event)
  if (!mark) return false
  event.preventDefault()
  const { currentTarget: textarea } = event
  const toggle = () => {
    const { toggleMark } = editing
    if (toggleMark && !textarea.readOnly)
      changeText(textarea, toggleMark(textarea.value, textarea.selectionStart, textarea.selectionEnd, mark))
  }
  if (editing.toggleMark) toggle()
  else void preloadFormatting().then(toggle)
  return true
}

/** Links selected words when a URL is pasted over them, once the code has loaded. Other text is pasted unchanged. */
export function pasteLink(event: ClipboardEvent<HTMLTextAreaElement>) {
  const { currentTarget: textarea, clipboardData } = event
  const link = editing.pasteAsLink?.(
    textarea.value,
    textarea.selectionStart,
    textarea.selectionEnd,
    clipboardData.getData('text/plain'),
  )
  if (!link || textarea.readOnly) return
  event.preventDefault()
  changeText(textarea, link)
}

/** Continues a list on a new line, from a hardware or an on-screen keyboard, once its code has loaded. */
export function useListContinuation(textarea: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    const { current } = textarea
    const onBeforeInput = (event: InputEvent) => {
      if (!current || event.inputType !== 'insertLineBreak' || event.isComposing) return
      const { value, selectionStart, selectionEnd } = current
      const change = selectionStart === selectionEnd && editing.continueList?.(value, selectionStart)
      if (!change) return
      event.preventDefault()
      changeText(current, change)
    }
    current?.addEventListener('beforeinput', onBeforeInput)
    return () => current?.removeEventListener('beforeinput', onBeforeInput)
  }, [textarea])
}
