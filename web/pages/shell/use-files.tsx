import { useState } from 'react'
import { LazyDialog } from '../../ui/lazy/lazy-dialog.tsx'

const panel = () => import('../../features/files/files-panel.tsx')

/** The panel of all files, which can be opened on one of them. */
export function useFiles() {
  const [open, setOpen] = useState<{ selectedId?: string }>()
  return {
    isOpen: open !== undefined,
    toggle: () => setOpen((before) => (before ? undefined : {})),
    show: (selectedId: string) => setOpen({ selectedId }),
    shown: open && <LazyDialog load={panel} selectedId={open.selectedId} onClose={() => setOpen(undefined)} />,
  }
}
