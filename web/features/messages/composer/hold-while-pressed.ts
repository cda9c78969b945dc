/** On touch, the click follows the end of the press after a delay. */
const CLICK_MS = 300

/**
 * On narrow screens the composer shrinks to one row when it loses the focus, which moves everything near it. This keeps its
 * height during a press that takes the focus, so that the click hits what was pressed. Returns a function that stops it.
 */
export function holdWhilePressed() {
  let held: HTMLElement | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    clearTimeout(timer)
    held?.removeAttribute('data-held')
  }
  const onPress = () => {
    const card = document.activeElement?.closest<HTMLElement>('.composer-card')
    // A second press postpones the release.
    if (!card) return clearTimeout(timer)
    release()
    held = card
    held.setAttribute('data-held', '')
  }
  const onEnd = () => {
    clearTimeout(timer)
    timer = setTimeout(release, CLICK_MS)
  }
  const listeners = new AbortController()
  const options = { capture: true, passive: true, signal: listeners.signal }
  document.addEventListener('pointerdown', onPress, options)
  document.addEventListener('pointerup', onEnd, options)
  document.addEventListener('pointercancel', onEnd, options)
  return () => {
    listeners.abort()
    release()
  }
}
