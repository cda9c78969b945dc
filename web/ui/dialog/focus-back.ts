import { useState } from 'react'

/** The element that gets the focus when a dialog closes: the one that had it before the dialog opened. */
export function useFocusBack() {
  const [origin] = useState(() => document.activeElement)
  return () => (origin instanceof HTMLElement && origin.isConnected ? origin : true)
}
