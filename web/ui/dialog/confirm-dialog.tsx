import type { ReactNode } from 'react'
import { Button } from '../input/button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  action: string
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before something is lost. Load it lazily, like every dialog. */
export default function ConfirmDialog({ title, action, onConfirm, onClose, children }: Props) {
  return (
    <Dialog
      title={title}
      isQuestion
      action={
        <Button variant="danger" onClick={onConfirm}>
          {action}
        </Button>
      }
      onClose={onClose}
    >
      <div className="text-pretty px-6 pt-1 pb-4 text-soft">{children}</div>
    </Dialog>
  )
}
