import { Smile } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { useLazy } from '../../../ui/lazy/lazy.tsx'

/** Opens the emoji picker, which is loaded on first use. */
export function ComposerEmoji({ onPick }: { onPick: (emoji: string) => void }) {
  const { id } = useMe()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { Part: Picker, failed, fetch } = useLazy(() => import('../../../emoji/emoji-popover.tsx'))

  useEffect(() => {
    if (!open || !failed) return
    showToast(t('ui.loadFailed'))
    setOpen(false)
  }, [open, failed])

  async function show() {
    await fetch()
    setOpen(true)
  }

  return (
    <>
      <IconButton
        ref={button}
        name={t('messages.composer.emoji')}
        aria-haspopup="dialog"
        onClick={show}
        onPointerEnter={fetch}
      >
        <Smile size={16} />
      </IconButton>
      {open && Picker && button.current && (
        <Picker person={id} anchor={button.current} align="start" onPick={onPick} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
