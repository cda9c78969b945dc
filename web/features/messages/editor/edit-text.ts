import { type RefObject, useLayoutEffect } from 'react'

/** Browsers that have a style for it (`field-sizing`) do it by themselves, and faster. */
const growsItself = globalThis.CSS?.supports('field-sizing', 'content') ?? false

/** Lets a text area be as high as what is in it, up to the maximum its style sets, also when its width changes. */
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

/** Puts a piece of text where the caret is, or in place of what is selected. */
export function insertAtCaret(box: HTMLTextAreaElement, text: string) {
  const { selectionStart: from, selectionEnd: to } = box
  changeText(box, { from, to, text })
}

/** A part of a text that becomes another one, and what is selected then; the caret stands behind it unless said. */
export interface TextChange {
  from: number
  to: number
  text: string
  select?: [number, number]
}

/** Changes the text of a box as if it were typed: it can be undone. */
export function changeText(box: HTMLTextAreaElement, { from, to, text, select }: TextChange) {
  box.focus()
  box.setSelectionRange(from, to)
  // The only way that keeps what was done before undoable.
  const isDone = text === '' ? document.execCommand('delete') : document.execCommand('insertText', false, text)
  if (!isDone) {
    box.setRangeText(text, from, to, 'end')
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  if (select) box.setSelectionRange(...select)
}
