import type { ClipboardEvent } from 'react'
import { t } from '../../../i18n/text.ts'
import { serverNow } from '../../../ui/format/clock.ts'
import { filesIn } from '../../../ui/input/file-drop.ts'

/**
 * The pasted files. Office programs copy text together with a picture of it, which is not treated as a file. File managers
 * copy files together with their names as text.
 */
export function pastedFiles({ clipboardData }: Pick<ClipboardEvent, 'clipboardData'>): File[] {
  const { files } = filesIn(clipboardData)
  const lines = clipboardData.getData('text/plain').split(/[\r\n]+/)
  const areNames = lines.every((line) => line === '' || files.some(({ name }) => line.split(/[\\/]/).at(-1) === name))
  return areNames ? files.map(withUniqueName) : []
}

/** Browsers name every copied picture 'image.png'. */
function withUniqueName(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file
  const now = new Date(serverNow())
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = `${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}`
  const name = t('messages.composer.pasted', { time: `${day} ${time}` })
  return new File([file], `${name}${file.name.slice(5)}`, { type: file.type })
}
