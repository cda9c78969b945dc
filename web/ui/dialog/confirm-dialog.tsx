import type { ReactNode } from 'react'
import { Button } from '../input/button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  action: string
  /** The default is for actions that lose something. */
  variant?: 'danger' | 'pine'
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before an action that loses something or is hard to undo. Load it lazily, like every dialog. */
export default function ConfirmDialog({ title, action, variant = 'danger', onConfirm, onClose, children }: Props) {
  return (
    <Dialog
      title={title}
      isQuestion
      action={
        <Button variant={variant} onClick={onConfirm}>
          {action}
        </Button>
      }
      onClose={onClose}
    >
      <div className="text-pretty px-6 pt-1 pb-4 text-soft">{children}</div>
    </Dialog>
  )
}
