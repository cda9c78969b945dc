import { useState } from 'react'
import { useShortcuts } from '../keys.ts'
import { LateDialog } from '../ui/late-dialog.tsx'

const dialog = () => import('./search-dialog.tsx')

/** The dialog to go anywhere with; its keys open and close it. */
export function useSearch() {
  const [isOpen, setIsOpen] = useState(false)
  useShortcuts({ search: () => setIsOpen((before) => !before) })
  return {
    open: () => setIsOpen(true),
    shown: isOpen && <LateDialog load={dialog} onClose={() => setIsOpen(false)} />,
  }
}
