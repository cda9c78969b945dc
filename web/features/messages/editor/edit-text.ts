import { type RefObject, useLayoutEffect } from 'react'

/** CSS `field-sizing` does it faster, in browsers that support it. */
const growsItself = globalThis.CSS?.supports('field-sizing', 'content') ?? false

/** Makes a text area as high as its text, up to its CSS maximum, also when its width changes. */
export function useAutoHeight(box: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    if (box.current && !growsItself) grow(box.current)
  }, [box, text])
  useLayoutEffect(() => {
    const { current } = box
    if (!current || growsItself) return
    let width = current.clientWidth
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width) return
      width = current.clientWidth
      grow(current)
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [box])
}

function grow(box: HTMLTextAreaElement) {
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}

/** Inserts text at the caret, or replaces the selection. */
export function insertAtCaret(box: HTMLTextAreaElement, text: string) {
  const { selectionStart: from, selectionEnd: to } = box
  changeText(box, { from, to, text })
}

/** Replaces a range of a text; `select` is the selection afterwards, by default the caret behind the new text. */
export interface TextChange {
  from: number
  to: number
  text: string
  select?: [number, number]
}

/** Changes a text area as if the user had typed it, so that they can undo it. */
export function changeText(box: HTMLTextAreaElement, { from, to, text, select }: TextChange) {
  box.focus()
  box.setSelectionRange(from, to)
  // Deprecated, but the only way that keeps the undo history.
  const isDone = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)
  if (!isDone) {
    box.setRangeText(text, from, to, 'end')
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  if (select) box.setSelectionRange(...select)
}
