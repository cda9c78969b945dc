import { useState } from 'react'

/** For a dialog: what gets the focus when it closes. That is what had it before anything in the dialog took it. */
export function useFocusBack() {
  const [origin] = useState(() => document.activeElement)
  return () => (origin instanceof HTMLElement && origin.isConnected ? origin : true)
}
