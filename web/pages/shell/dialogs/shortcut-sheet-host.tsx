import { useState } from 'react'
import { useShortcuts } from '../../../browser/shortcuts.ts'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { shortcutSheet } from '../lazy-parts.ts'

/** Opens and closes the list of shortcuts by its own shortcut. */
export function ShortcutSheetHost() {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ sheet: () => setOpen((before) => !before) }, isOpen)
  return isOpen && <LazyDialog load={shortcutSheet} onClose={() => setOpen(false)} />
}
