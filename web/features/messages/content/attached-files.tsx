import { useState } from 'react'
import type { StoredFile } from '#contract/files'
import { download } from '../../../ui/device/download.ts'
import { FileIcon, kindOf } from '../../../ui/file-icon.tsx'
import { fileSize } from '../../../ui/format/file-size.ts'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { LazyAudioPlayer } from './lazy-audio-player.tsx'

const lightbox = () => import('../../../ui/dialog/lightbox.tsx')

const MAX_WIDTH_PX = 360
const MAX_HEIGHT_PX = 240

/** The files of a message. Their heights are fixed before they load, so that the list does not move. */
export function AttachedFiles({ files }: { files: readonly StoredFile[] }) {
  const [shown, setShown] = useState<string>()
  const previewed = files.filter(hasPreview)
  const others = files.filter((file) => !hasPreview(file))
  return (
    <div className="relative z-1 flex flex-wrap items-start gap-2 pt-1.5 pb-0.5">
      {previewed.map((file) =>
        kindOf(file.type) === 'video' ? (
          <Video key={file.id} file={file} />
        ) : (
          <Picture key={file.id} file={file} onOpen={() => setShown(file.id)} />
        ),
      )}
      {others.length > 0 && (
        <div className="flex min-w-0 max-w-full flex-col items-start gap-2">
          {others.map((file) =>
            kindOf(file.type) === 'audio' ? (
              <LazyAudioPlayer key={file.id} file={file} />
            ) : (
              <FileCard key={file.id} file={file} />
            ),
          )}
        </div>
      )}
      {shown && <LazyDialog load={lightbox} items={previewed} startId={shown} onClose={() => setShown(undefined)} />}
    </div>
  )
}

/** Whether a file is shown in the message list itself. */
const hasPreview = ({ type, thumbnailUrl }: StoredFile) => thumbnailUrl !== null || kindOf(type) === 'video'

/** Larger animations are shown as a still picture. */
const MAX_ANIMATED_BYTES = 4_000_000

function Picture({ file, onOpen }: { file: StoredFile; onOpen: () => void }) {
  const { name, type, size, url, thumbnailUrl } = file
  const width = file.width ?? MAX_WIDTH_PX
  const height = file.height ?? MAX_HEIGHT_PX
  const scale = Math.min(1, MAX_WIDTH_PX / width, MAX_HEIGHT_PX / height)
  // Thumbnails are not animated.
  const source = type === 'image/gif' && size <= MAX_ANIMATED_BYTES ? url : (thumbnailUrl ?? url)
  return (
    <button
      type="button"
      aria-label={`Open ${name}`}
      title={name}
      onClick={onOpen}
      className="overflow-hidden rounded-m border border-line bg-sunk"
      style={{ width: Math.max(48, width * scale), maxWidth: '100%', aspectRatio: `${width} / ${height}` }}
    >
      <img src={source} alt="" loading="lazy" className="size-full object-contain" />
    </button>
  )
}

function Video({ file: { name, url } }: { file: StoredFile }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: uploaded videos have no captions
    <video
      src={url}
      controls
      preload="metadata"
      aria-label={name}
      className="aspect-video w-[400px] max-w-full rounded-m border border-line bg-[#000]"
    />
  )
}

function FileCard({ file }: { file: StoredFile }) {
  const { name, type, size } = file
  return (
    <button
      type="button"
      title={name}
      onClick={() => void download(file)}
      className="flex w-65 max-w-full items-center gap-3 rounded-m border border-line bg-paper py-2 pr-3 pl-2 text-start transition-colors hover:bg-sunk"
    >
      <span className="grid size-9 flex-none place-items-center rounded-s bg-pine-wash text-pine">
        <FileIcon type={type} size={18} />
      </span>
      <span className="min-w-0">
        <span className="sr-only">Download </span>
        <bdi className="block truncate font-[550] text-ui">{name}</bdi>{' '}
        <span className="block text-faint text-meta">
          {fileSize(size)} · {extensionOf(name, type)}
        </span>
      </span>
    </button>
  )
}

const extensionOf = (name: string, type: string) =>
  /\.(\w{1,8})$/.exec(name)?.[1]?.toUpperCase() ?? (kindOf(type) === 'file' ? 'file' : kindOf(type))
