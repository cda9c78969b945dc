import { useEffect, useEffectEvent } from 'react'
import { isComposing } from '../input/is-composing.ts'

/** How many frames a loaded part has to focus its field. */
const MAX_FRAMES = 20

let pendingParts = 0
let isBuffering = false
/** The buffered text. */
let typed = ''
/** The element focused before. */
let before: Element | null
/** The field that the user chose instead of waiting. */
let chosen: EventTarget | null = null

/** Whether the user chose the focused field while something else was loading. */
export const isFieldChosen = () => chosen === document.activeElement

/**
 * Buffers text typed while a part loads, and enters it into the field that then has the focus. Other keys are dropped, and
 * the previously focused element receives nothing.
 * @param isLoading whether the part is loading
 * @param onEscape called when the user cancels
 */
export function useBufferedKeys(isLoading: boolean, onEscape?: () => void) {
  const cancel = useEffectEvent(() => {
    if (!onEscape) return
    // Text typed from now on is not meant for this part.
    if (pendingParts === 1) forgetTyped()
    onEscape()
  })
  useEffect(() => {
    if (!isLoading) return
    pendingParts++
    if (!isBuffering) {
      isBuffering = true
      before = document.activeElement
      chosen = null
      addEventListener('keydown', bufferKey, true)
      addEventListener('beforeinput', bufferText, true)
      addEventListener('pointerdown', choose, true)
    }
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && cancel()
    addEventListener('keydown', onKeyDown, true)
    return () => {
      removeEventListener('keydown', onKeyDown, true)
      pendingParts--
      replay(MAX_FRAMES)
    }
  }, [isLoading])
}

function bufferKey(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey } = event
  // The part has loaded: Escape closes it, even before it has the focus.
  if (key === 'Escape' && pendingParts === 0) return forgetTyped()
  event.stopPropagation()
  // The browser's own shortcuts work, such as reload.
  const isBrowserShortcut = ctrlKey || metaKey || altKey || isComposing(event) || /^F\d/.test(key)
  if (isBrowserShortcut && key !== 'Enter') return
  event.preventDefault()
  if (key === 'Backspace') typed = [...typed].slice(0, -1).join('')
  else if (key.length === 1) typed += key
}

/** Text without a key of its own: pasted, or from a dead key. */
function bufferText(event: InputEvent) {
  event.preventDefault()
  typed += event.data ?? ''
}

/** The user chose another field, so the typing is meant for it. */
function choose({ target }: Event) {
  if (!isField(target)) return
  chosen = target
  forgetTyped()
}

function forgetTyped() {
  typed = ''
  stopBuffering()
}

function stopBuffering() {
  removeEventListener('keydown', bufferKey, true)
  removeEventListener('beforeinput', bufferText, true)
  removeEventListener('pointerdown', choose, true)
  isBuffering = false
}

function replay(frames: number) {
  // This part has opened another one that is still loading.
  if (pendingParts > 0) return
  const field = focused()
  // A popup often has the focus before its field does.
  const isFieldPending = document.activeElement === before || (typed !== '' && !isField(field))
  if (isBuffering && frames > 0 && isFieldPending) return requestAnimationFrame(() => replay(frames - 1))
  stopBuffering()
  const text = typed
  typed = ''
  // The loaded part checks `isFieldChosen` when it focuses, before the next frame.
  requestAnimationFrame(() => {
    chosen = null
  })
  if (text && isField(field) && document.activeElement !== before) document.execCommand('insertText', false, text)
}

/** The focused element, including inside web components such as the emoji picker. */
function focused() {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
