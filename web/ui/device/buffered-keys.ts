import { useEffect, useEffectEvent } from 'react'
import { isComposing } from '../input/is-composing.ts'

/** Frames in which what has come takes the focus. */
const MAX_FRAMES = 20

/** How many parts are on their way that keys are meant for; what was typed since, and what had the focus before. */
let pendingParts = 0
let isBuffering = false
let typed = ''
let before: Element | null
/** The field that somebody went to instead of waiting. */
let chosen: EventTarget | null = null

/** Whether somebody went to the field that has the focus while something else was on its way. */
export const isFieldChosen = () => chosen === document.activeElement

/**
 * What is typed while something is on its way was meant for it, and never for what still has the focus: it is written
 * into the field that gets it, and the other keys go nowhere.
 * @param isAwaited whether it is on its way
 * @param onEscape called where somebody would rather not have it
 */
export function useBufferedKeys(isAwaited: boolean, onEscape?: () => void) {
  const callOff = useEffectEvent(() => onEscape?.())
  useEffect(() => {
    if (!isAwaited) return
    pendingParts++
    if (!isBuffering) {
      isBuffering = true
      before = document.activeElement
      chosen = null
      addEventListener('keydown', bufferKey, true)
      addEventListener('beforeinput', bufferText, true)
      addEventListener('pointerdown', choose, true)
    }
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && callOff()
    addEventListener('keydown', leave, true)
    return () => {
      removeEventListener('keydown', leave, true)
      pendingParts--
      replay(MAX_FRAMES)
    }
  }, [isAwaited])
}

function bufferKey(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey } = event
  event.stopPropagation()
  // The browser's own keys act, as that which loads the page again.
  const isBrowsers = ctrlKey || metaKey || altKey || isComposing(event) || /^F\d/.test(key)
  if (isBrowsers && key !== 'Enter') return
  event.preventDefault()
  if (key === 'Backspace') typed = [...typed].slice(0, -1).join('')
  else if (key.length === 1) typed += key
}

/** What comes without a key of its own: it was pasted, or takes two keys. */
function bufferText(event: InputEvent) {
  event.preventDefault()
  typed += event.data ?? ''
}

/** What is typed from now on is meant for the field that somebody went to. */
function choose({ target }: Event) {
  if (!isField(target)) return
  chosen = target
  typed = ''
  release()
}

function release() {
  removeEventListener('keydown', bufferKey, true)
  removeEventListener('beforeinput', bufferText, true)
  removeEventListener('pointerdown', choose, true)
  isBuffering = false
}

function replay(frames: number) {
  // Another part, which this one has called for.
  if (pendingParts > 0) return
  const field = focused()
  // A popup often takes the focus itself before its field does.
  const isYetToCome = document.activeElement === before || (typed !== '' && !isField(field))
  if (isBuffering && frames > 0 && isYetToCome) return requestAnimationFrame(() => replay(frames - 1))
  release()
  const text = typed
  typed = ''
  // What has come takes the focus after this.
  requestAnimationFrame(() => {
    chosen = null
  })
  if (text && isField(field) && document.activeElement !== before) document.execCommand('insertText', false, text)
}

/** What has the focus, within a web component too: the emoji picker is one. */
function focused() {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
