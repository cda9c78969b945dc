import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useLazy } from '../lazy/lazy.tsx'
import type { ShowToast, ToastOptions } from './toaster.tsx'
import { useRetry } from './use-retry.ts'

let setShow: (show: ShowToast) => void
const loadedShow = new Promise<ShowToast>((resolve) => {
  setShow = resolve
})

/** Shows a sentence for a few seconds. Returns a function that dismisses it. */
export function showToast(text: string, options: ToastOptions = {}): () => void {
  let isDismissed = false
  const toast = loadedShow.then((show) => (isDismissed ? () => {} : show(text, options)))
  return () => {
    isDismissed = true
    void toast.then((dismiss) => dismiss())
  }
}

const LOAD_DELAY_MS = 2000

/** Renders toasts. Its code is loaded ahead, because the first toast often reports a lost connection. */
export function ToastHost() {
  const { Part: Toaster, failed, fetch } = useLazy(() => import('./toaster.tsx'))
  useRetry(fetch, failed ? 'failed' : 'idle')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => {
    const timer = setTimeout(fetch, LOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  // Outside the page, which open dialogs hide from assistive technology.
  return Toaster && createPortal(<Toaster onReady={setShow} />, document.body)
}
