/** Less than this is a scroll bar or a rounding error. */
const MIN_KEYBOARD_PX = 24

/**
 * Sets `--keyboard` to the height of the on-screen keyboard where it covers the page instead of shrinking it, as on an
 * iPhone, so that styles can move the bottom of the page above it. Returns a function that stops
 * this.
 */
export function trackKeyboardHeight() {
  const view = window.visualViewport
  if (!view) return () => {}
  const root = document.documentElement
  const measure = () => {
    // Pinch zoom also makes the visual viewport smaller.
    const covered = view.scale === 1 ? Math.round(window.innerHeight - view.height) : 0
    if (covered < MIN_KEYBOARD_PX) root.style.removeProperty('--keyboard')
    else {
      root.style.setProperty('--keyboard', `${covered}px`)
      // The browser scrolled the page to reveal the field, which is above the keyboard now anyway.
      window.scrollTo(0, 0)
    }
  }
  measure()
  view.addEventListener('resize', measure)
  return () => {
    view.removeEventListener('resize', measure)
    root.style.removeProperty('--keyboard')
  }
}
