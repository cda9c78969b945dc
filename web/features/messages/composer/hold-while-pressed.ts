/**
 * On a narrow screen a composer without the focus is one row, and the messages above it move down. While a press on one of
 * them takes the focus, they stay, so that the click hits what was pressed. Returns how to stop.
 */
export function holdWhilePressed() {
  let held: HTMLElement | null | undefined
  const release = () => held?.removeAttribute('data-held')
  const onPress = () => {
    release()
    held = document.activeElement?.closest<HTMLElement>('.composer-card')
    held?.setAttribute('data-held', '')
  }
  // The click comes right after the end of the press.
  const onEnd = () => setTimeout(release)
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
