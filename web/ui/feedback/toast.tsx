import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useLazy } from '../lazy/lazy.tsx'
import type { ShowToast, ToastOptions } from './toaster.tsx'

let give: (show: ShowToast) => void
const shown = new Promise<ShowToast>((resolve) => {
  give = resolve
})

/** Shows one sentence that disappears by itself. Returns how to remove it. */
export function showToast(text: string, options: ToastOptions = {}): () => void {
  let wanted = true
  const toast = shown.then((show) => (wanted ? show(text, options) : () => {}))
  return () => {
    wanted = false
    void toast.then((takeBack) => takeBack())
  }
}

const LOAD_DELAY_MS = 2000

/**
 * Where toasts appear. Its code comes by itself once the page is at rest: what a toast has to tell is often that the
 * connection is gone.
 */
export function ToastHost() {
  const { Part: Toaster, fetch } = useLazy(() => import('./toaster.tsx'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the function is new with each rendering
  useEffect(() => {
    const timer = setTimeout(fetch, LOAD_DELAY_MS)
    window.addEventListener('online', fetch)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', fetch)
    }
  }, [])
  // Outside of the page, which a dialog hides from assistive technology.
  return Toaster && createPortal(<Toaster onReady={give} />, document.body)
}
