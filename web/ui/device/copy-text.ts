import { showToast } from '../feedback/toast.tsx'

/** Puts a text on the clipboard, also on plain http, where the browser has no interface for it. */
export async function copyText(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const box = document.createElement('textarea')
  box.value = text
  box.readOnly = true
  box.style.position = 'fixed'
  box.style.opacity = '0'
  document.body.append(box)
  box.select()
  const copied = document.execCommand('copy')
  box.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  if (!copied) throw new Error('Your browser blocked copying')
}

/** Copies a text, and says in a toast that it is done, or that it failed. */
export async function copyWithToast(text: string, done: string) {
  try {
    await copyText(text)
    showToast(done)
  } catch (error) {
    console.error('Failed to copy:', error)
    showToast('Your browser blocked copying')
  }
}
