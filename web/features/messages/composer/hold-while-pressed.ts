/** On touch, the click comes a moment after the end of the press. */
const CLICK_MS = 300

/**
 * On a narrow screen a composer without the focus is one row, and the first steps return above it: what is near moves.
 * While a press takes the focus away, it stays, so that the click hits what was pressed. Returns how to stop.
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
    // A press soon after another one has to hit, too.
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
