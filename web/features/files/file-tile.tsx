import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { StoredFile } from '#contract/files'
import { download } from '../../ui/device/download.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
import { fileSize } from '../../ui/format/file-size.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'

interface Props {
  file: StoredFile
  /** The uploader's name, if known. */
  uploader: string | undefined
  /** Whether to scroll it into view and put a ring around it. */
  isSelected: boolean
  onOpen: () => void
}

/** The panel has its final size by then. */
const SCROLL_DELAY_MS = 100

export function FileTile({ file, uploader, isSelected, onOpen }: Props) {
  const { name, type, size, thumbnailUrl } = file
  const tile = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isSelected) return
    const timer = setTimeout(() => tile.current?.scrollIntoView({ block: 'center' }), SCROLL_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isSelected])

  return (
    <li
      ref={tile}
      aria-current={isSelected || undefined}
      className={`group relative overflow-hidden rounded-l border border-line ${isSelected ? 'ring-2 ring-pine' : ''}`}
    >
      <button
        type="button"
        onClick={onOpen}
        className="block w-full text-start focus-visible:-outline-offset-2"
        title={name}
      >
        <span className="grid h-26 place-items-center overflow-hidden bg-sunk text-faint">
          {thumbnailUrl ? (
            <img src={thumbnailUrl} alt="" loading="lazy" className="h-26 w-full object-cover" />
          ) : (
            <FileIcon type={type} size={28} />
          )}
        </span>
        <bdi className="block truncate px-2.5 pt-2 font-[550] text-ui">{name}</bdi>
        <span className="block truncate px-2.5 pb-2 text-faint text-micro">
          {fileSize(size)}
          {uploader && (
            <>
              {' · '}
              <bdi>{uploader}</bdi>
            </>
          )}
        </span>
      </button>
      <IconButton
        name="Download file"
        title="Download file"
        aria-label={`Download file ${name}`}
        className="absolute top-1.5 right-1.5 border border-line bg-raised opacity-0 shadow-float focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        onClick={() => void download(file)}
      >
        <Download size={16} />
      </IconButton>
    </li>
  )
}
