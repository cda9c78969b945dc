import { ExternalLink, Play, Square } from 'lucide-react'
import { type CSSProperties, type ReactNode, useSyncExternalStore } from 'react'
import type { StoredFile } from '#contract/files'
import { t } from '../../../i18n/text.ts'
import { graphemesOf } from '../../../ui/format/graphemes.ts'
import { onPlayback, playbackOf, seek, toggle } from '../read-aloud/audio-deck.ts'
import { parseLink } from './message-link.tsx'
import './audio-player.css'

/** Lazy-loaded. */
export default function AudioPlayer(props: { content: string } | { file: StoredFile }) {
  return 'content' in props ? <LinkedAudio {...props} /> : <AttachedAudio {...props.file} />
}

/** A message that ends in '.mp3'. Only files of this server play here: another server would learn who listens. */
function LinkedAudio({ content }: { content: string }) {
  // The URL is the last word.
  const destination = parseLink(content.split(/\s/).at(-1) as string)
  const caption = captionOf(content)
  const title = caption === content ? undefined : content
  return (
    <Frame name={caption}>
      {destination?.kind === 'external' ? (
        <ExternalAudio url={destination.url} caption={<Caption text={caption} title={title} />} />
      ) : (
        <LocalPlayer
          url={destination && new URL(destination.url, location.href).href}
          caption={<Caption text={caption} title={title} />}
        />
      )}
    </Frame>
  )
}

/** An attached audio file. */
function AttachedAudio({ url, name }: StoredFile) {
  return (
    <Frame name={name}>
      <LocalPlayer url={new URL(url, location.href).href} caption={<Caption text={name} title={undefined} />} />
    </Frame>
  )
}

function Frame({ name, children }: { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a part of a form
    <div
      role="group"
      aria-label={name}
      className="flex w-[400px] max-w-full items-center gap-3 rounded-m border border-line bg-paper py-2 ps-2 pe-3"
    >
      {children}
    </div>
  )
}

function captionOf(content: string) {
  const characters = graphemesOf(content)
  return characters.length > 60 ? `${characters.slice(0, 57).join('')}…` : content
}

function Caption({ text, title }: { text: string; title: string | undefined }) {
  return (
    <p dir="auto" title={title} className="truncate font-[550] text-ink text-ui">
      {text}
    </p>
  )
}

const buttonStyle =
  'grid size-9 flex-none place-items-center rounded-s bg-pine-wash text-pine transition-colors hover:text-pine-strong disabled:text-faint pointer-coarse:size-11'
const noteStyle = 'text-faint text-meta tabular-nums'

function LocalPlayer({ url, caption }: { url: string | undefined; caption: ReactNode }) {
  const { phase, elapsed, total } = useSyncExternalStore(onPlayback, () => playbackOf(url ?? ''))
  const isPlaying = phase === 'playing' || phase === 'loading'
  const name = isPlaying ? t('messages.audio.stop') : t('messages.audio.play')
  const Icon = isPlaying ? Square : Play
  const hasFailed = phase === 'failed' || !url
  const isTimed = Number.isFinite(total) && !hasFailed
  const times = { elapsed: clock(elapsed), total: clock(total) }
  const time = isTimed ? `${times.elapsed} / ${times.total}` : times.elapsed
  return (
    <>
      <button
        type="button"
        aria-label={name}
        title={name}
        disabled={!url}
        className={buttonStyle}
        onClick={() => url && toggle(url)}
      >
        <Icon size={16} className="fill-current" />
      </button>
      <div className="min-w-0 flex-1">
        {caption}
        <div className="flex h-5 items-center gap-3">
          {hasFailed ? (
            <p role="alert" className="text-danger text-meta">
              {t('messages.audio.failed')}
            </p>
          ) : (
            <>
              <input
                type="range"
                aria-label={t('messages.audio.position')}
                aria-valuetext={isTimed ? t('messages.audio.elapsed', times) : time}
                disabled={!isTimed}
                min={0}
                max={isTimed ? total : 1}
                step="any"
                value={isTimed ? elapsed : 0}
                onChange={({ target }) => url && seek(url, target.valueAsNumber)}
                className="sound-position min-w-0 flex-1"
                style={{ '--played': isTimed ? `${(100 * elapsed) / total}%` : 0 } as CSSProperties}
              />
              <span className={`${noteStyle} min-w-20 text-end`}>{phase === 'loading' ? t('ui.loading') : time}</span>
            </>
          )}
        </div>
      </div>
    </>
  )
}

/** Formats seconds as m:ss. */
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

function ExternalAudio({ url, caption }: { url: string; caption: ReactNode }) {
  return (
    <>
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label={t('messages.audio.openTab')}
        title={t('messages.audio.openTabHint')}
        className={buttonStyle}
      >
        <ExternalLink size={16} />
      </a>
      <div className="min-w-0 flex-1">
        {caption}
        <p className={`${noteStyle} truncate`}>{t('messages.audio.on', { host: new URL(url).hostname })}</p>
      </div>
    </>
  )
}
