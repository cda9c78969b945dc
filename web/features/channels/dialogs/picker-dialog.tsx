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
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <div className="px-6 pt-1">{children}</div>
        {problem && (
          <p role="alert" className="px-6 pt-2 text-danger text-ui">
            {problem}
          </p>
        )}
        <footer className="flex justify-end gap-2 px-6 pt-3 pb-6">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="pine" disabled={!canAct}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
