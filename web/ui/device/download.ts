import { t } from '../../i18n/text.ts'
import { showToast } from '../feedback/toast.tsx'

/**
 * Downloads a file of this server under its name. The browser streams it to disk, whatever its size; a HEAD request
 * first checks that it exists.
 */
export async function download({ url, name }: { url: string; name: string }) {
  try {
    const response = await fetch(url, { method: 'HEAD' })
    if (!response.ok) throw new Error(`API Error: ${response.status}`)
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
  } catch (error) {
    console.error('Failed to download file', error)
    showToast(t('ui.downloadFailed'))
  }
}
