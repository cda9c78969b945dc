import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect } from 'react'
import { changeText } from './edit-text.ts'
import { nextLine } from './list-continuation.ts'
import { markOf } from './mark-keys.ts'
import { linkOver } from './paste-link.ts'

let toggleMark: typeof import('./format-toggle.ts').toggleMark | undefined

/** Fetches the code of bold, italic and code ahead of the first key for it. */
export async function fetchMarks() {
  try {
    toggleMark ??= (await import('./format-toggle.ts')).toggleMark
  } catch (error) {
    console.error('A part of the page could not be loaded:', error)
  }
}

/** Formats the selection on a shortcut; returns whether the key was one. */
export function markByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const mark = markOf(event)
  if (!mark) return false
  event.preventDefault()
  const { currentTarget: box } = event
  const toggle = () => {
    if (toggleMark && !box.readOnly) changeText(box, toggleMark(box.value, box.selectionStart, box.selectionEnd, mark))
  }
  if (toggleMark) toggle()
  else void fetchMarks().then(toggle)
  return true
}

/** A URL pasted over selected words makes them a link; everything else is pasted unchanged. */
export function pasteLink(event: ClipboardEvent<HTMLTextAreaElement>) {
  const { currentTarget: box, clipboardData } = event
  const link = linkOver(box.value, box.selectionStart, box.selectionEnd, clipboardData.getData('text/plain'))
  if (!link || box.readOnly) return
  event.preventDefault()
  changeText(box, link)
}

/** Continues a list on a new line, from a hardware or an on-screen keyboard. */
export function useListContinuation(box: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    const { current } = box
    const onBeforeInput = (event: InputEvent) => {
      if (!current || event.inputType !== 'insertLineBreak' || event.isComposing) return
      const { value, selectionStart, selectionEnd } = current
      const change = selectionStart === selectionEnd && nextLine(value, selectionStart)
      if (!change) return
      event.preventDefault()
      changeText(current, change)
    }
    current?.addEventListener('beforeinput', onBeforeInput)
    return () => current?.removeEventListener('beforeinput', onBeforeInput)
  }, [box])
}
