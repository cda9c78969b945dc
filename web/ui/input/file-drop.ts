import { type DragEvent, useRef, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { showToast } from '../feedback/toast.tsx'

/** Whether files are dragged, not text or an image of the page. */
const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Accepts files dropped on an element. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  // Child elements fire enter and leave as well.
  const depth = useRef(0)
  const enter = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    depth.current++
    setIsOver(true)
  }
  const leave = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    depth.current = Math.max(0, depth.current - 1)
    if (depth.current === 0) setIsOver(false)
  }
  const over = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
  }
  const drop = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setIsOver(false)
    const { files, hasFolder } = filesIn(event.dataTransfer)
    if (hasFolder) showToast(t('ui.foldersRefused'))
    if (files.length > 0) onFiles(files)
  }
  return { isOver, target: { onDragEnter: enter, onDragLeave: leave, onDragOver: over, onDrop: drop } }
}

/** The files of a drop or a clipboard; folders have no bytes of their own. */
export function filesIn({ items }: DataTransfer) {
  const held = [...items].filter(({ kind }) => kind === 'file')
  const files = held.filter((item) => !item.webkitGetAsEntry()?.isDirectory)
  return { files: files.flatMap((item) => item.getAsFile() ?? []), hasFolder: files.length < held.length }
}

/** Without this, the browser opens a file dropped elsewhere and leaves the page. Returns a function that stops it. */
export function preventFileNavigation() {
  const refuse = (event: globalThis.DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
  return () => {
    removeEventListener('dragover', refuse)
    removeEventListener('drop', refuse)
  }
}
