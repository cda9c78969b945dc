import { useState } from 'react'
import { useShortcuts } from '../../../browser/shortcuts.ts'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'

export const shortcutSheet = () => import('./shortcut-sheet.tsx')

/** The list of all keys, which a key opens and closes. */
export function useSheet() {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ sheet: () => setOpen((before) => !before) }, isOpen)
  return isOpen && <LazyDialog load={shortcutSheet} onClose={() => setOpen(false)} />
}
