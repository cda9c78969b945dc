import { Dialog } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { direction } from '../../i18n/language.ts'
import { t } from '../../i18n/text.ts'
import { useBackCloses } from '../device/back-closes.ts'
import { download } from '../device/download.ts'
import { kindOf } from '../file-icon.tsx'
import { fileSize } from '../format/file-size.ts'
import { IconButton } from '../input/icon-button.tsx'
import { useFadeOut } from './fade-out.ts'
import { useFocusBack } from './focus-back.ts'

interface LightboxItem {
  id: string
  url: string
  name: string
  type: string
  size: number
}

interface Props {
  items: readonly LightboxItem[]
  startId: string
  onClose: () => void
}

/** The arrows are beside the item, or below it on a phone, never over it. */
const AREAS = {
  one: 'grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] [grid-template-areas:"item"]',
  many: 'grid-cols-2 grid-rows-[minmax(0,1fr)_auto] [grid-template-areas:"item_item"_"previous_next"] wide:grid-cols-[auto_minmax(0,1fr)_auto] wide:grid-rows-[minmax(0,1fr)] wide:[grid-template-areas:"previous_item_next"]',
}

/** Shows images, videos and audio over the whole page; arrow keys go to the next one. Load it lazily. */
export default function Lightbox({ items, startId, onClose }: Props) {
  const [id, setId] = useState(startId)
  const { popup } = useFadeOut()
  useFocusBack()
  useBackCloses(onClose)
  const index = Math.max(
    0,
    items.findIndex((candidate) => candidate.id === id),
  )
  const item = items[index]
  if (!item) return null
  const size = fileSize(item.size)
  const go = (by: number) => setId(items[(index + by + items.length) % items.length]?.id ?? id)

  function onKeyDown({ key, target }: KeyboardEvent) {
    // In a player the arrow keys seek.
    if (target instanceof HTMLMediaElement) return
    const [previous, next] = direction() === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
    if (key === next) go(1)
    if (key === previous) go(-1)
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop forceRender className="fixed inset-0 z-40 animate-appear bg-lightbox" />
        <Dialog.Popup
          ref={popup}
          data-theme="dark"
          data-covers-page=""
          finalFocus={false}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-40 flex animate-appear flex-col bg-lightbox text-ink outline-none"
        >
          <header className="flex min-h-(--bar) flex-none items-center gap-2 border-line border-b bg-sunk px-3 wide:px-4">
            <Dialog.Title className="min-w-0 truncate font-[600] text-ui" title={item.name}>
              <bdi>{item.name}</bdi>
            </Dialog.Title>
            <span className="me-auto flex-none text-faint text-meta">
              {items.length > 1 ? t('ui.lightbox.sizeAndPlace', { size, place: index + 1, count: items.length }) : size}
            </span>
            <IconButton name={t('ui.download')} onClick={() => void download(item)}>
              <Download size={18} />
            </IconButton>
            <Dialog.Close render={<IconButton name={t('ui.close')} />}>
              <X size={18} />
            </Dialog.Close>
          </header>
          <div
            className={`relative grid min-h-0 flex-1 place-items-center gap-x-3 gap-y-2 p-3 pb-[max(12px,env(safe-area-inset-bottom))] ${items.length > 1 ? AREAS.many : AREAS.one}`}
          >
            {/* A click beside the item closes. */}
            <button type="button" tabIndex={-1} aria-hidden="true" className="absolute inset-0" onClick={onClose} />
            <div className="pointer-events-none grid size-full place-items-center [grid-area:item]">
              <Preview key={item.id} item={item} />
            </div>
            {items.length > 1 && <Arrows onGo={go} />}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Arrows({ onGo }: { onGo: (by: number) => void }) {
  return (
    <>
      <IconButton
        name={t('ui.lightbox.previous')}
        className="relative size-10 justify-self-end rounded-full! bg-raised [grid-area:previous]"
        onClick={() => onGo(-1)}
      >
        <ChevronLeft size={20} className="rtl:-scale-x-100" />
      </IconButton>
      <IconButton
        name={t('ui.lightbox.next')}
        className="relative size-10 justify-self-start rounded-full! bg-raised [grid-area:next]"
        onClick={() => onGo(1)}
      >
        <ChevronRight size={20} className="rtl:-scale-x-100" />
      </IconButton>
    </>
  )
}

function Preview({ item: { url, name, type } }: { item: LightboxItem }) {
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed) return <p className="relative text-soft text-ui">{t('ui.lightbox.noPreview')}</p>
  const fail = () => setFailed(true)
  const kind = kindOf(type)
  if (kind === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: uploads have no captions
      <video
        src={url}
        controls
        autoPlay
        className="pointer-events-auto max-h-full max-w-full rounded-m"
        onError={fail}
      />
    )
  if (kind === 'audio')
    return (
      // biome-ignore lint/a11y/useMediaCaption: uploads have no captions
      <audio src={url} controls autoPlay className="pointer-events-auto w-[min(400px,100%)]" onError={fail} />
    )
  return (
    <img
      src={url}
      alt={name}
      className="pointer-events-auto max-h-full min-h-0 max-w-full rounded-m object-contain"
      onError={fail}
    />
  )
}
