import { type CSSProperties, useState } from 'react'
import type { StoredFile } from '#contract/files'
import { type PlainTextId, rich, t } from '../../../i18n/text.ts'
import { download } from '../../../ui/device/download.ts'
import { FileIcon, kindOf } from '../../../ui/file-icon.tsx'
import { FileName } from '../../../ui/file-name.tsx'
import { fileSize } from '../../../ui/format/file-size.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { LazyAudioPlayer } from './lazy-audio-player.tsx'

const lightbox = () => import('../../../ui/dialog/lightbox.tsx')
const video = () => import('./video.tsx')

const MAX_WIDTH_PX = 400
const MAX_HEIGHT_PX = 300
const MAX_PICTURES = 4

/**
 * The files of a message: pictures, videos, audio and others, each kind on its own lines. Their sizes are fixed before
 * they load, so that the list does not move.
 */
export function AttachedFiles({ files }: { files: readonly StoredFile[] }) {
  const [shown, setShown] = useState<string>()
  const of = (isListed: (file: StoredFile) => boolean) => files.filter(isListed)
  const pictures = of(isPicture)
  const videos = of(isVideo)
  return (
    <div className="@container relative z-1 flex flex-col gap-2 pt-1.5 pb-0.5">
      {/* One row, with smaller pictures if necessary; two by two in narrow containers. */}
      <div className="grid grid-cols-2 gap-1.5 empty:hidden @min-[26rem]:flex">
        {pictures.slice(0, MAX_PICTURES).map((file, index) => (
          <Picture
            key={file.id}
            file={file}
            isAlone={pictures.length === 1}
            more={index === MAX_PICTURES - 1 ? pictures.length - MAX_PICTURES : 0}
            onOpen={() => setShown(file.id)}
          />
        ))}
      </div>
      <div className={line}>
        {videos.map((file) => (
          <Lazy
            key={file.id}
            load={video}
            waiting={<div className="aspect-video w-[400px] max-w-full" />}
            file={file}
          />
        ))}
      </div>
      {of(({ type }) => kindOf(type) === 'audio').map((file) => (
        <LazyAudioPlayer key={file.id} file={file} />
      ))}
      <div className={line}>
        {of((file) => !isPicture(file) && !/video|audio/.test(kindOf(file.type))).map((file) => (
          <FileCard key={file.id} file={file} />
        ))}
      </div>
      {shown && (
        <LazyDialog
          load={lightbox}
          items={[...pictures, ...videos]}
          startId={shown}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  )
}

const line = 'flex flex-wrap gap-1.5 empty:hidden'

const isVideo = ({ type }: StoredFile) => kindOf(type) === 'video'
const isPicture = (file: StoredFile) => file.thumbnailUrl !== null && !isVideo(file)

/** Larger animations are shown as a still picture. */
const MAX_ANIMATED_BYTES = 4_000_000

interface PictureProps {
  file: StoredFile
  /** Whether it is the only picture, which is larger and not cropped. */
  isAlone: boolean
  /** How many more pictures are not shown. */
  more: number
  onOpen: () => void
}

function Picture({ file, isAlone, more, onOpen }: PictureProps) {
  const { name, type, size, url, thumbnailUrl } = file
  const width = file.width ?? MAX_WIDTH_PX
  const height = file.height ?? MAX_HEIGHT_PX
  const ratio = width / height
  const scale = Math.min(1, MAX_WIDTH_PX / width, MAX_HEIGHT_PX / height)
  // Thumbnails are not animated.
  const source = type === 'image/gif' && size <= MAX_ANIMATED_BYTES ? url : (thumbnailUrl ?? url)
  return (
    <button
      type="button"
      aria-label={more > 0 ? t('messages.files.openMore', { name, count: more }) : t('messages.files.open', { name })}
      title={name}
      onClick={onOpen}
      className={`relative max-h-75 min-h-12 max-w-full overflow-hidden rounded-m bg-sunk after:absolute after:inset-0 after:rounded-[inherit] after:border after:border-line last:odd:col-span-2 ${isAlone ? 'min-w-12' : 'h-(--picture) min-w-24 @min-[26rem]:w-(--width)'}`}
      style={
        isAlone
          ? { width: width * scale, aspectRatio: ratio }
          : ({ '--width': `clamp(96px, var(--picture) * ${ratio}, 320px)` } as CSSProperties)
      }
    >
      <img src={source} alt="" loading="lazy" className="size-full object-cover" />
      {more > 0 && (
        <span className="absolute inset-0 grid place-items-center bg-veil font-[600] text-on-veil text-title">
          {t('messages.files.more', { count: more })}
        </span>
      )}
    </button>
  )
}

function FileCard({ file }: { file: StoredFile }) {
  const { name, type, size } = file
  return (
    <button
      type="button"
      title={name}
      onClick={() => void download(file)}
      className="flex w-65 max-w-full items-center gap-3 rounded-m border border-line bg-paper py-2 ps-2 pe-3 text-start transition-colors hover:bg-sunk"
    >
      <span className="grid size-9 flex-none place-items-center rounded-s bg-pine-wash text-pine">
        <FileIcon type={type} name={name} size={18} />
      </span>
      <span className="min-w-0">
        {rich('messages.files.download', {
          name: <FileName name={name} className="font-[550]" />,
          hidden: (words) => <span className="sr-only">{words}</span>,
        })}{' '}
        <span className="block text-faint text-meta">
          {fileSize(size)} · {extensionOf(name, type)}
        </span>
      </span>
    </button>
  )
}

const kindNames = {
  image: 'messages.files.image',
  video: 'messages.files.video',
  audio: 'messages.files.audio',
  pdf: 'messages.files.pdf',
  file: 'messages.files.file',
} as const satisfies Record<ReturnType<typeof kindOf>, PlainTextId>

const extensionOf = (name: string, type: string) =>
  /\.(\w{1,8})$/.exec(name)?.[1]?.toUpperCase() ?? t(kindNames[kindOf(type)])
