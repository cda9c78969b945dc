import { t } from '../../i18n/text.ts'
import { showToast } from '../feedback/toast.tsx'

/** Copies a text, including on plain http, where browsers have no clipboard API. */
export async function copyText(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const textarea = document.createElement('textarea')
  textarea.value = text
  textarea.readOnly = true
  textarea.style.position = 'fixed'
  textarea.style.opacity = '0'
  document.body.append(textarea)
  textarea.select()
  const isCopied = document.execCommand('copy')
  textarea.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  if (!isCopied) throw new Error('Your browser blocked copying')
}

/** Copies a text and shows a toast: `done`, or that it failed. */
export async function copyWithToast(text: string, done: string) {
  try {
    await copyText(text)
    showToast(done)
  } catch (error) {
    console.error('Failed to copy:', error)
    showToast(t('ui.copyBlocked'))
  }
}
