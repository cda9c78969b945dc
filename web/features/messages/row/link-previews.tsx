import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { LinkPreview, Message } from '#contract/messages'
import { usePreference } from '../../../browser/preferences.ts'
import { t } from '../../../i18n/text.ts'
import { keepFocus } from '../../../ui/input/keep-focus.ts'
import { useWithoutRemoved } from '../actions/pending-previews.ts'
import { removePreviewSoon } from '../actions/remove-preview.ts'
import { parseLink } from '../content/message-link.tsx'

const NONE: readonly LinkPreview[] = []

/** The previews of a message's links that this device shows. */
export function usePreviews({ id, previews }: Pick<Message, 'id' | 'previews'>): readonly LinkPreview[] {
  return useWithoutRemoved(id, usePreference('previews') === 'shown' && previews ? previews : NONE)
}

interface Props {
  message: Message
  previews: readonly LinkPreview[]
  canRemove: boolean
}

/** What the links of a message lead to. The room of the pictures is fixed before they load, so that the list does not move. */
export function LinkPreviews({ message, previews, canRemove }: Props) {
  return (
    <div className="relative z-1 flex flex-col gap-2 pt-1.5 pb-0.5">
      {previews.map((preview) => (
        <div
          key={preview.url}
          className={`group/preview relative w-fit min-w-0 max-w-full ${canRemove ? 'pe-8 pointer-coarse:pe-10' : ''}`}
        >
          {preview.title === '' ? <OnlyPicture preview={preview} /> : <Page preview={preview} />}
          {canRemove && <RemoveButton messageId={message.id} preview={preview} />}
        </div>
      ))}
    </div>
  )
}

/** Pictures that are wide and large enough stand below the text, others beside it. */
const MIN_WIDE_PX = 300
const MIN_WIDE_RATIO = 1.2

function Page({ preview }: { preview: LinkPreview }) {
  const { url, title, description, picture } = preview
  const isWide = picture !== null && picture.width >= MIN_WIDE_PX && picture.width / picture.height >= MIN_WIDE_RATIO
  return (
    <div className="flex max-w-[32rem] gap-4 border-line-strong border-s-[3px] py-0.5 ps-3">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-meta text-soft">
          {sourceOf(preview)}
        </p>
        <p dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
          <PreviewLink url={url} className="font-[600] text-pine hover:underline">
            {title}
          </PreviewLink>
        </p>
        {description !== '' && (
          <p dir="auto" className="line-clamp-3 text-soft text-ui [overflow-wrap:anywhere]">
            {description}
          </p>
        )}
        {isWide && (
          <div className="pt-1.5">
            <Picture picture={picture} url={url} max={{ width: 360, height: 240 }} />
          </div>
        )}
      </div>
      {picture && !isWide && <Picture picture={picture} url={url} max={{ width: 72, height: 72 }} />}
    </div>
  )
}

/** The site as it calls itself, and its host, which it can't choose. */
function sourceOf({ url, site }: LinkPreview) {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
  return site === host ? host : t('messages.previews.source', { site, host })
}

function OnlyPicture({ preview: { url, site, picture } }: { preview: LinkPreview }) {
  return picture && <Picture picture={picture} url={url} max={{ width: 400, height: 300 }} name={site} />
}

interface PictureProps {
  picture: NonNullable<LinkPreview['picture']>
  url: string
  max: { width: number; height: number }
  /** The site's, if the picture is all there is; otherwise it repeats the link above. */
  name?: string
}

/** Beyond these, a picture is cropped. */
const RATIOS = { min: 0.5, max: 4 }

function Picture({ picture, url, max, name }: PictureProps) {
  const ratio = Math.min(RATIOS.max, Math.max(RATIOS.min, picture.width / picture.height))
  const width = Math.min(max.width, max.height * ratio, Math.max(picture.width, picture.height * ratio))
  return (
    <PreviewLink
      url={url}
      isRepeated={name === undefined}
      className="relative block max-w-full flex-none self-start overflow-hidden rounded-m bg-sunk after:absolute after:inset-0 after:rounded-[inherit] after:border after:border-line"
      style={{ width, aspectRatio: ratio }}
    >
      <img
        src={picture.url}
        alt={name === undefined ? '' : t('messages.previews.picture', { site: name })}
        loading="lazy"
        // Its room stays.
        onError={({ currentTarget }) => currentTarget.classList.add('invisible')}
        className="size-full object-cover"
      />
    </PreviewLink>
  )
}

interface LinkProps {
  url: string
  className: string
  style?: { width: number; aspectRatio: number }
  /** Whether it is for the pointer only. */
  isRepeated?: boolean
  children: ReactNode
}

function PreviewLink({ url, isRepeated = false, ...rest }: LinkProps) {
  const forPointer = isRepeated && { tabIndex: -1, 'aria-hidden': true, onMouseDown: keepFocus }
  return <a href={parseLink(url)?.url} target="_blank" rel="noopener noreferrer nofollow" {...forPointer} {...rest} />
}

/** If it disappears while it has the focus, its row gets the focus. */
function RemoveButton({ messageId, preview: { url, title, site } }: { messageId: string; preview: LinkPreview }) {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = ref
    const row = current?.closest('article')
    return () => {
      if (document.activeElement === current) row?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <button
      ref={ref}
      type="button"
      aria-label={t('messages.previews.removeOf', { title: title || site })}
      title={t('messages.previews.remove')}
      onMouseDown={keepFocus}
      onClick={() => removePreviewSoon(messageId, url)}
      className="absolute end-0.5 top-0.5 grid size-6 place-items-center rounded-s border border-line bg-paper text-soft opacity-0 transition-opacity hover:text-ink focus-visible:opacity-100 group-hover/preview:opacity-100 pointer-coarse:size-8 pointer-coarse:opacity-100"
    >
      <X size={14} />
    </button>
  )
}
