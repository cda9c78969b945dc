import { type ComponentType, useEffect, useRef } from 'react'
import { useLate } from './late.tsx'
import { showToast } from './toast.tsx'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** A dialog whose code comes when it is shown. Give it a key where another one may take its place. */
export function LateDialog<P extends { onClose: () => void }>({ load, ...props }: P & { load: Load<P> }) {
  const { Part, failed, fetch } = useLate(load)
  const { onClose } = props
  useTypedMeanwhile(Part !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => {
    if (!Part) void fetch()
  }, [])
  useEffect(() => {
    if (!failed) return
    showToast('The dialog could not be loaded. Check your connection.')
    onClose()
  }, [failed, onClose])
  return Part && <Part {...(props as unknown as P)} />
}

/** Frames in which a dialog that is there takes the focus. */
const FRAMES = 20

/** What is typed before a dialog is there was meant for it: it is written into its field, or where it came from. */
function useTypedMeanwhile(isThere: boolean) {
  const typed = useRef('')
  useEffect(() => {
    if (isThere) return
    const before = document.activeElement
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event
      if (key.length !== 1 || ctrlKey || metaKey || altKey || isComposing) return
      event.preventDefault()
      event.stopPropagation()
      typed.current += key
    }
    window.addEventListener('keydown', listen, true)
    return () => {
      window.removeEventListener('keydown', listen, true)
      if (typed.current) write(typed.current, before)
    }
  }, [isThere])
}

function write(text: string, before: Element | null, frames = FRAMES) {
  const field = document.activeElement
  if (frames > 0 && field === before) return requestAnimationFrame(() => write(text, before, frames - 1))
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    document.execCommand('insertText', false, text)
}
