import type { ReactNode, SubmitEvent } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Button } from '../../../ui/input/button.tsx'

interface Props {
  title: string
  action: string
  canAct: boolean
  onAct: () => void
  problem: string | null
  onClose: () => void
  children: ReactNode
}

/** A dialog for picking people. */
export function PickerDialog({ title, action, canAct, onAct, problem, onClose, children }: Props) {
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (canAct) onAct()
  }

  return (
    <Dialog
      title={title}
      action={
        <Button type="submit" variant="pine" disabled={!canAct}>
          <bdi className="max-w-40 truncate">{action}</bdi>
        </Button>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="px-6 pt-1 max-wide:flex max-wide:min-h-0 max-wide:flex-1 max-wide:flex-col max-wide:px-(--gutter)">
        {children}
      </div>
      {problem && (
        <p role="alert" className="px-6 pt-2 text-danger text-ui">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
