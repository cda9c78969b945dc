import { type LucideIcon, MessageSquareReply, Paperclip, Pencil, PenLine, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { type PlainTextId, t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { copyWithToast } from '../../../ui/device/copy-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { useRelativeTime } from '../../../ui/format/relative-time.ts'
import { Button, buttonClass } from '../../../ui/input/button.tsx'
import type { UnsentItem } from './draft-list.ts'

const kinds = {
  message: { Icon: PenLine, name: 'messages.unsent.message' },
  reply: { Icon: MessageSquareReply, name: 'messages.unsent.reply' },
  edit: { Icon: Pencil, name: 'messages.unsent.edit' },
  failed: { Icon: TriangleAlert, name: 'messages.unsent.failed' },
} as const satisfies Record<UnsentItem['kind'], { Icon: LucideIcon; name: PlainTextId }>

interface Props {
  label: string
  items: readonly UnsentItem[]
  /** The conversation's title; undefined if it is gone. */
  titleOf?: (channelId: string) => string | undefined
}

/** Lists unsent items, to copy or discard; links to conversations that still exist. */
export function UnsentList({ label, items, titleOf }: Props) {
  const list = useRef<HTMLUListElement>(null)

  function discard(item: UnsentItem, at: HTMLElement) {
    const row = at.closest('li')
    const next = row?.nextElementSibling ?? row?.previousElementSibling
    const undo = item.discard()
    if (undo) showToast(t('messages.unsent.discarded'), { action: { name: t('ui.undo'), act: undo } })
    // The button disappears, so move the focus first.
    const target =
      next?.querySelector<HTMLElement>('[data-discard]') ?? list.current?.closest<HTMLElement>('[data-region]')
    target?.focus()
  }

  return (
    <ul ref={list} aria-label={label} className="flex max-w-[860px] flex-col gap-2 text-start">
      {items.map((item) => (
        <Item
          key={item.key}
          item={item}
          title={titleOf && <Title item={item} title={titleOf(item.channelId)} />}
          path={titleOf?.(item.channelId) === undefined ? undefined : pathOf(item)}
          onDiscard={(at) => discard(item, at)}
        />
      ))}
    </ul>
  )
}

interface ItemProps {
  item: UnsentItem
  title: ReactNode
  /** Where it was written; undefined if that is gone. */
  path: string | undefined
  onDiscard: (at: HTMLElement) => void
}

function Item({ item: { kind, text, files, at }, title, path, onDiscard }: ItemProps) {
  const { Icon, name } = kinds[kind]
  return (
    <li className="rounded-m border border-line bg-raised px-3.5 py-2.5">
      <p className="flex min-w-0 items-center gap-2 text-meta text-soft">
        <Icon size={14} className="flex-none text-faint" />
        {title}
        {/* A message needs no name where its conversation has one. */}
        {(kind !== 'message' || !title) && <span className="min-w-0 flex-none truncate text-faint">{t(name)}</span>}
        {at && <WrittenAt time={at} />}
      </p>
      {text.trim() !== '' && (
        <p
          dir="auto"
          className="mt-1 max-h-[30dvh] overflow-y-auto whitespace-pre-wrap text-body text-ink leading-(--lh-body) [overflow-wrap:anywhere]"
        >
          {text.trim()}
        </p>
      )}
      {files.length > 0 && (
        <p className="mt-1.5 flex flex-wrap gap-1.5">
          <span className="sr-only">{t('messages.unsent.attached')} </span>
          {files.map(({ id, name: file }) => (
            <span
              key={id}
              className="flex max-w-full items-center gap-1.5 rounded-s bg-sunk px-2 py-1 text-soft text-ui"
            >
              <Paperclip size={14} className="flex-none text-faint" />
              <bdi className="truncate">{file}</bdi>
            </span>
          ))}
        </p>
      )}
      <div className="-me-1.5 mt-1 flex justify-end gap-1.5">
        <Button className={small} data-discard="" onClick={({ currentTarget }) => onDiscard(currentTarget)}>
          {t('messages.outbox.discard')}
        </Button>
        {text.trim() !== '' && (
          <Button
            variant={path ? 'plain' : 'line'}
            className={small}
            onClick={() => copyWithToast(text.trim(), t('messages.copied.text'))}
          >
            {t('messages.actions.copyText')}
          </Button>
        )}
        {path && (
          <Link to={path} className={buttonClass('line', small)}>
            {t('drafts.continue')}
          </Link>
        )}
      </div>
    </li>
  )
}

function WrittenAt({ time }: { time: string }) {
  const ago = useRelativeTime(time)
  return (
    <time dateTime={time} title={wholeTime(time)} className="flex-none text-faint">
      · {ago}
    </time>
  )
}

const small = 'h-7 px-2.5 pointer-coarse:h-11'

/** Where in its channel an item was written, or the edited message, however old. */
function pathOf({ channelId, threadId, messageId }: UnsentItem) {
  const search = new URLSearchParams({
    ...(messageId && { message: messageId }),
    ...(threadId && { thread: threadId }),
  })
  return paths.channel(channelId) + (search.size > 0 ? `?${search}` : '')
}

function Title({ item, title }: { item: UnsentItem; title: string | undefined }) {
  if (!title)
    return <bdi className="min-w-0 truncate font-[620] text-ink text-ui">{item.of ?? t('messages.unsent.unknown')}</bdi>
  return (
    <Link
      to={pathOf(item)}
      className="min-w-0 truncate font-[620] text-pine text-ui hover:underline pointer-coarse:py-2.5"
    >
      <bdi>{title}</bdi>
    </Link>
  )
}
