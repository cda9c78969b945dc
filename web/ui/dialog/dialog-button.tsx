import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { showToast } from '../feedback/toast.tsx'
import { IconButton } from '../input/icon-button.tsx'
import { useLazy } from '../lazy/lazy.tsx'

interface Props extends ComponentProps<typeof IconButton> {
  load: () => Promise<{ default: ComponentType<{ onClose: () => void }> }>
}

/** An icon button that opens a lazy-loaded dialog. */
export function DialogButton({ load, ...button }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { Part: Dialog, failed, fetch } = useLazy(load)

  useEffect(() => {
    if (!isOpen || !failed) return
    showToast(t('ui.loadFailed'))
    setOpen(false)
  }, [isOpen, failed])

  async function show() {
    await fetch()
    setOpen(true)
  }

  return (
    <>
      <IconButton {...button} aria-haspopup="dialog" onClick={show} onPointerEnter={fetch} />
      {isOpen && Dialog && <Dialog onClose={() => setOpen(false)} />}
    </>
  )
}
