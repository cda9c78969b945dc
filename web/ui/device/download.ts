import { showToast } from '../feedback/toast.tsx'

/**
 * Saves a file of ours under its name. The browser itself writes it to the disk, so that its size does not matter;
 * asked for beforehand is only whether it is there.
 */
export async function download({ url, name }: { url: string; name: string }) {
  try {
    const answer = await fetch(url, { method: 'HEAD' })
    if (!answer.ok) throw new Error(`API Error: ${answer.status}`)
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
  } catch (error) {
    console.error('Failed to download file', error)
    showToast('Failed to download file')
  }
}
