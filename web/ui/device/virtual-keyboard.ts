/** Pixels below which it is no keyboard, but a scroll bar or a rounded number. */
const MIN_KEYBOARD_PX = 24

/**
 * Where the keyboard on the screen lies over the page instead of making it smaller, as on an iPhone, `--keyboard` is
 * the height that it takes: what stands at the bottom moves up by it. Answers how to stop.
 */
export function trackKeyboardHeight() {
  const view = window.visualViewport
  if (!view) return () => {}
  const root = document.documentElement
  const measure = () => {
    // Magnified with two fingers, less is seen without any keyboard.
    const covered = view.scale === 1 ? Math.round(window.innerHeight - view.height) : 0
    if (covered < MIN_KEYBOARD_PX) root.style.removeProperty('--keyboard')
    else {
      root.style.setProperty('--keyboard', `${covered}px`)
      // It has pushed the page up to show the box, which stands above the keyboard by now.
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
