import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useBackCloses } from '../device/back-closes.ts'
import { IconButton } from '../input/icon-button.tsx'
import { useFocusBack } from './focus-back.ts'

interface Props {
  title: string
  /** For content in two columns. */
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal dialog, 12 vh from the top. Over another dialog, it dims that too. Load it lazily, to keep it out of the entry. */
export function Dialog({ title, isWide = false, onClose, children }: Props) {
  const focusBack = useFocusBack()
  useBackCloses(onClose)
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className="fixed inset-0 z-30 animate-appear bg-scrim" />
        <Base.Popup
          finalFocus={focusBack}
          className={`fixed top-[12vh] left-1/2 z-30 max-h-[min(80dvh,calc(86dvh-var(--keyboard,0px)))] ${isWide ? 'w-[min(780px,calc(100vw-32px))]' : 'w-[min(480px,calc(100vw-32px))]'} -translate-x-1/2 animate-rise scroll-pt-14 overflow-y-auto rounded-xl bg-raised shadow-modal outline-none`}
        >
          <header className="sticky top-0 z-1 flex items-center justify-between bg-raised pt-4 pr-3 pb-2 pl-6">
            <Base.Title className="font-[650] text-dialog tracking-[-0.01em]">{title}</Base.Title>
            <Base.Close render={<IconButton name="Close" />}>
              <X size={16} />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
