import type { ClipboardEvent } from 'react'
import { filesIn } from '../../ui/file-drop.ts'

/** The files somebody pastes. What an office program copies is a text first, with a picture of it. */
export function filesPasted({ clipboardData }: ClipboardEvent): File[] {
  if (clipboardData.types.includes('text/plain')) return []
  return filesIn(clipboardData).map(named)
}

/** A picture that was copied is called 'image.png', as all of them are. */
function named(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file
  const now = new Date()
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = `${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())}`
  return new File([file], `Pasted ${day} ${time}${file.name.slice(5)}`, { type: file.type })
}
