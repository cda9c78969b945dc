import { Download, Ellipsis } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { StoredFile } from '#contract/files'
import { t } from '../../i18n/text.ts'
import { download } from '../../ui/device/download.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { wholeTime } from '../../ui/format/clock-time.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { shortDate } from '../../ui/format/short-date.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'

interface Props {
  file: StoredFile
  /** The uploader's name, if known. */
  uploader: string | undefined
  /** The conversation's name; undefined for a file of the whole workspace. */
  place: string | undefined
  /** Whether to scroll it into view and put a ring around it. */
  isSelected: boolean
  isMenuOpen: boolean
  onOpen: () => void
  onMenu: (anchor: HTMLElement) => void
}

/** The panel has its final size by then. */
const SCROLL_DELAY_MS = 100

const tool = 'border border-line bg-raised shadow-float hover:bg-raised!'
/** On touch, where it is always visible, it leaves the picture visible; its target is larger than it looks. */
const onPicture =
  'pointer-coarse:relative pointer-coarse:size-7! pointer-coarse:border-transparent pointer-coarse:bg-veil! pointer-coarse:text-on-veil pointer-coarse:shadow-none pointer-coarse:after:absolute pointer-coarse:after:-inset-2'

export function FileTile({ file, uploader, place, isSelected, isMenuOpen, onOpen, onMenu }: Props) {
  const tile = useRef<HTMLLIElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isSelected) return
    const timer = setTimeout(() => tile.current?.scrollIntoView({ block: 'center' }), SCROLL_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isSelected])

  return (
    <li
      ref={tile}
      aria-current={isSelected || undefined}
      onContextMenu={(event) => {
        event.preventDefault()
        if (more.current) onMenu(more.current)
      }}
      className={`group relative overflow-hidden rounded-l border border-line ${isSelected ? 'ring-2 ring-pine' : ''}`}
    >
      <TileFace file={file} uploader={uploader} place={place} onOpen={onOpen} />
      <TileTools file={file} more={more} isMenuOpen={isMenuOpen} onMenu={onMenu} />
    </li>
  )
}

function TileFace({ file, uploader, place, onOpen }: Pick<Props, 'file' | 'uploader' | 'place' | 'onOpen'>) {
  const { name, type, size, thumbnailUrl, createdAt } = file
  return (
    <button
      type="button"
      onClick={onOpen}
      className="block w-full pb-2 text-start focus-visible:-outline-offset-2"
      title={name}
    >
      <span className="grid h-26 place-items-center overflow-hidden bg-sunk text-faint">
        {thumbnailUrl ? (
          <img src={thumbnailUrl} alt="" loading="lazy" className="h-26 w-full object-cover" />
        ) : (
          <FileIcon type={type} name={name} size={28} />
        )}
      </span>
      <FileName name={name} className="px-2.5 pt-2 font-[550]" />
      <span className="block truncate px-2.5 text-faint text-micro">
        {fileSize(size)}
        {uploader && (
          <>
            {' · '}
            <bdi>{uploader}</bdi>
          </>
        )}
      </span>
      <span className="block truncate px-2.5 text-faint text-micro">
        <bdi>{place ?? t('files.everyone')}</bdi>
        {' · '}
        <time dateTime={createdAt} title={wholeTime(createdAt)}>
          {shortDate(createdAt)}
        </time>
      </span>
    </button>
  )
}

interface ToolsProps extends Pick<Props, 'file' | 'isMenuOpen' | 'onMenu'> {
  /** The button of the menu. */
  more: RefObject<HTMLButtonElement | null>
}

function TileTools({ file, more, isMenuOpen, onMenu }: ToolsProps) {
  const { name } = file
  return (
    <span
      className={`absolute end-1.5 top-1.5 flex gap-1 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100 ${isMenuOpen ? '' : 'opacity-0'}`}
    >
      {/* On touch it is only in the menu, so that more of the picture is visible. */}
      <IconButton
        name={t('files.downloadFile')}
        title={t('files.downloadFile')}
        aria-label={t('files.downloadNamed', { name })}
        className={`${tool} pointer-coarse:hidden`}
        onClick={() => void download(file)}
      >
        <Download size={16} />
      </IconButton>
      <IconButton
        ref={more}
        name={t('ui.moreActions')}
        aria-label={t('ui.moreActionsFor', { name })}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        className={`${tool} ${onPicture}`}
        onClick={({ currentTarget }) => onMenu(currentTarget)}
      >
        <Ellipsis size={16} />
      </IconButton>
    </span>
  )
}
