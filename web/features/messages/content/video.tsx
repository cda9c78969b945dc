import { Play } from 'lucide-react'
import { useState } from 'react'
import type { StoredFile } from '#contract/files'
import { t } from '../../../i18n/text.ts'
import { fileSize } from '../../../ui/format/file-size.ts'

/** A video that loads and plays on a click. Lazy-loaded. */
export default function Video({ file: { name, size, url } }: { file: StoredFile }) {
  const [isStarted, setStarted] = useState(false)
  if (isStarted) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: uploaded videos have no captions
      <video
        // The button that had the focus is gone.
        ref={focus}
        src={url}
        controls
        autoPlay
        aria-label={name}
        className={`${frame} bg-[#000]`}
      />
    )
  }
  return (
    <button
      type="button"
      aria-label={t('messages.files.playVideo', { name, size: fileSize(size) })}
      title={name}
      onClick={() => setStarted(true)}
      className={`${frame} group/video grid grid-rows-[1fr_auto] bg-pine-wash text-start`}
    >
      <span className="grid size-12 place-self-center place-items-center rounded-full bg-pine text-on-pine transition-colors group-hover/video:bg-pine-strong">
        <Play size={20} className="ms-0.5 fill-current" />
      </span>
      <span className="flex gap-2 px-3 pb-2 text-meta">
        <bdi className="min-w-0 truncate font-[550]">{name}</bdi>{' '}
        <span className="ms-auto flex-none text-soft">{fileSize(size)}</span>
      </span>
    </button>
  )
}

const frame = 'aspect-video w-[400px] max-w-full rounded-m border border-line'

const focus = (video: HTMLVideoElement | null) => video?.focus({ preventScroll: true })
