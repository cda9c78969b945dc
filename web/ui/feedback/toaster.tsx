import { useEffect, useState } from 'react'
import { Toaster as Base, toast } from 'sonner'
import { wideScreen } from '../device/media.ts'

export interface ToastOptions {
  /** A button, such as 'Undo'. */
  action?: { name: string; act: () => void }
  /** The timer pauses while the toast has the pointer or the focus. */
  durationMs?: number
}

/** Shows a toast. Returns how to dismiss it. */
export type ShowToast = (text: string, options: ToastOptions) => () => void

/** Over the sidebar, or below the header where there is none, so that toasts never cover the composer. */
export default function Toaster({ onReady }: { onReady: (show: ShowToast) => void }) {
  const isWide = useWide()
  useEffect(() => onReady(show), [onReady])
  return (
    <Base
      position={isWide ? 'bottom-left' : 'top-center'}
      offset={isWide ? { left: 8, bottom: 56 } : { top: 56 }}
      mobileOffset={{ top: 56, left: 8, right: 8 }}
      gap={8}
      toastOptions={{ unstyled: true, classNames }}
    />
  )
}

const classNames = {
  toast:
    'flex w-full items-center gap-2 rounded-m border border-line bg-raised py-1.5 pr-1.5 pl-3 font-sans text-ink text-ui shadow-float! duration-(--calm)! focus-visible:outline-2! focus-visible:outline-pine! wide:w-[272px]',
  content: 'min-w-0 flex-1 py-1',
  title: 'leading-5',
  actionButton:
    'h-7 flex-none rounded-s px-2 font-[600] text-pine transition-colors hover:bg-hover active:bg-press pointer-coarse:h-11 pointer-coarse:px-3',
}

const show: ShowToast = (text, { action, durationMs = 5000 }) => {
  const id = toast(text, {
    duration: durationMs,
    ...(action && { action: { label: action.name, onClick: action.act } }),
  })
  return () => void toast.dismiss(id)
}

function useWide() {
  const [query] = useState(wideScreen)
  const [isWide, setWide] = useState(query.matches)
  useEffect(() => {
    const update = () => setWide(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [query])
  return isWide
}
