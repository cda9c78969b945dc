import type { ClipboardEvent } from 'react'
import { serverNow } from '../../../ui/format/clock.ts'
import { filesIn } from '../../../ui/input/file-drop.ts'

/**
 * The files somebody pastes. What an office program copies is a text first, with a picture of it; what a file manager
 * copies are the files, with their names as a text.
 */
export function filesPasted({ clipboardData }: Pick<ClipboardEvent, 'clipboardData'>): File[] {
  const { files } = filesIn(clipboardData)
  const lines = clipboardData.getData('text/plain').split(/[\r\n]+/)
  const areNames = lines.every((line) => line === '' || files.some(({ name }) => line.split(/[\\/]/).at(-1) === name))
  return areNames ? files.map(named) : []
}

/** A picture that was copied is called 'image.png', as all of them are. */
function named(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file
  const now = new Date(serverNow())
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = `${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}`
  return new File([file], `Pasted ${day} ${time}${file.name.slice(5)}`, { type: file.type })
}
