import { type RefObject, useLayoutEffect } from 'react'

/** Lets a text area be as high as what is in it, up to the maximum its style sets, also when its width changes. */
export function useGrowth(box: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    if (box.current) grow(box.current)
  }, [box, text])
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
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

/** Puts a piece of text where the caret is, or in place of what is selected, as if it were typed: it can be undone. */
export function insertAtCaret(box: HTMLTextAreaElement, piece: string) {
  box.focus()
  // The only way that keeps what was done before undoable.
  if (document.execCommand('insertText', false, piece)) return
  box.setRangeText(piece, box.selectionStart, box.selectionEnd, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
