import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { showToast } from '../feedback/toast.tsx'
import { IconButton } from '../input/icon-button.tsx'
import { useLazy } from '../lazy/lazy.tsx'

interface Props extends ComponentProps<typeof IconButton> {
  load: () => Promise<{ default: ComponentType<{ onClose: () => void }> }>
}

/** An icon button that opens a dialog, whose code comes when it is first needed. */
export function DialogButton({ load, ...button }: Props) {
  const [open, setOpen] = useState(false)
  const { Part: Opened, failed, fetch } = useLazy(load)

  useEffect(() => {
    if (!open || !failed) return
    showToast('Could not load the dialog. Check your connection.')
    setOpen(false)
  }, [open, failed])

  async function show() {
    await fetch()
    setOpen(true)
  }

  return (
    <>
      <IconButton {...button} aria-haspopup="dialog" onClick={show} onPointerEnter={fetch} />
      {open && Opened && <Opened onClose={() => setOpen(false)} />}
    </>
  )
}
