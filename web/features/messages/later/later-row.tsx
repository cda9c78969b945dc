import { AlarmClock, BookmarkX, Check, StickyNote, Undo2 } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import type { Channel } from '#contract/channels'
import type { LaterItem } from '#contract/later'
import type { Message } from '#contract/messages'
import { usePreference } from '../../../browser/preferences.ts'
import { t } from '../../../i18n/text.ts'
import { paths } from '../../../paths.ts'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { useLiveText } from '../../../ui/format/relative-time.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { ConversationProvider } from '../actions/conversation-context.tsx'
import { removeItem, setDone } from '../actions/later-actions.ts'
import { inLater } from '../actions/message-shortcuts.ts'
import { MessageCard } from '../row/message-card.tsx'
import { laterLabel } from '../row/saved-line.tsx'
import { isDue } from '../sync/later-queries.ts'

/** A conversation that I see. */
export interface Place {
  channel: Channel
  title: string
}

interface Props {
  item: LaterItem
  /** Null if it is gone for me; undefined while it loads, and if there is none. */
  message: Message | null | undefined
  /** Where the message is; undefined if that is unknown. */
  place: Place | undefined
  /** Asks when to be reminded. */
  onRemind: (item: LaterItem) => void
}

/** A saved message or a reminder: by key, D marks it as done, M sets its reminder, Backspace removes it. */
export function LaterRow({ item, message, place, onRemind }: Props) {
  const hasLetters = usePreference('letters') === 'on'
  const acts: Record<string, () => void> = {
    [inLater.remove.key]: () => remove(item, message),
    ...(hasLetters && {
      [inLater.done.key]: () => void setDone(item, item.doneAt === null),
      [inLater.remind.key]: () => onRemind(item),
    }),
  }
  function actByKey(event: KeyboardEvent) {
    const { key, repeat, target, currentTarget, ctrlKey, metaKey, altKey, shiftKey } = event
    const act = acts[key.length === 1 ? key.toUpperCase() : key]
    const isPlain = !(repeat || ctrlKey || metaKey || altKey || shiftKey)
    if (!act || !isPlain || !isControlIn(currentTarget, target)) return
    event.preventDefault()
    act()
  }
  const footer = <Footer item={item} message={message} hasLetters={hasLetters} onRemind={onRemind} />
  return (
    <li data-row={item.id} onKeyDown={actByKey} className="border-line border-b last:border-b-0">
      {message ? (
        <ConversationProvider kind="channel" channel={place?.channel}>
          <MessageCard message={message} place={<PlaceName place={place} />}>
            {footer}
          </MessageCard>
        </ConversationProvider>
      ) : (
        <article className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2 py-3">
          <span className="grid size-6 place-items-center rounded-s bg-sunk text-soft">
            <StickyNote size={14} />
          </span>
          <div className="min-w-0">
            <WithoutMessage item={item} message={message} />
            {footer}
          </div>
        </article>
      )}
    </li>
  )
}

/** Not in a dialog that the row opened, such as that of a picture. */
const isControlIn = (row: Element, target: EventTarget) =>
  target instanceof Element && row.contains(target) && target.matches('a, button')

/** What I can no longer see can't be added again. */
const remove = (item: LaterItem, message: Props['message']) => void removeItem(item, message !== null)

const PlaceName = ({ place }: { place: Place | undefined }) =>
  place && <bdi className="min-w-0 flex-[0_1_auto] truncate text-meta text-soft">{place.title}</bdi>

function WithoutMessage({ item: { messageId, text }, message }: Pick<Props, 'item' | 'message'>): ReactNode {
  if (text !== null)
    return (
      <p dir="auto" className="whitespace-pre-wrap text-ui leading-6 [overflow-wrap:anywhere]">
        {text}
      </p>
    )
  if (messageId !== null && message === undefined)
    return <p className="text-faint text-ui leading-6">{t('ui.loading')}</p>
  return <p className="text-faint text-ui italic leading-6">{t('later.gone')}</p>
}

interface FooterProps extends Omit<Props, 'place'> {
  hasLetters: boolean
}

/** The time of the reminder, the way to the message, and the buttons. */
function Footer({ item, message, hasLetters, onRemind }: FooterProps) {
  const label = useLiveText(() => (item.dueAt === null ? '' : laterLabel(item)))
  const isDone = item.doneAt !== null
  const tone = isDue(item) ? 'font-[550] text-ember' : 'text-faint'
  return (
    <div className="mt-1 flex min-h-7 flex-wrap items-center gap-1 text-meta">
      {label && !isDone && (
        <p className={`flex min-w-0 items-center gap-1 max-wide:basis-full ${tone}`}>
          <AlarmClock size={12} className="flex-none" />
          <time dateTime={item.dueAt ?? ''} title={wholeTime(item.dueAt ?? '')} className="truncate">
            {label}
          </time>
        </p>
      )}
      <span className="flex-1" />
      {message && !message.deletedAt && (
        <Link
          to={addressOf(message)}
          className="flex-none rounded-s px-1.5 py-1 font-[600] text-pine hover:underline pointer-coarse:py-3.5"
        >
          {message.threadId ? t('messages.pins.goToReply') : t('messages.pins.goTo')}
        </Link>
      )}
      <span className="flex flex-none gap-1">
        <IconButton
          name={isDone ? t('later.reopen') : t('later.markDone')}
          keys={hasLetters ? inLater.done.key : undefined}
          onClick={() => void setDone(item, !isDone)}
        >
          {isDone ? <Undo2 size={16} /> : <Check size={16} />}
        </IconButton>
        <IconButton
          name={t('later.remind')}
          keys={hasLetters ? inLater.remind.key : undefined}
          onClick={() => onRemind(item)}
        >
          <AlarmClock size={16} />
        </IconButton>
        <IconButton name={t('later.remove')} keys={inLater.remove.key} onClick={() => remove(item, message)}>
          <BookmarkX size={16} />
        </IconButton>
      </span>
    </div>
  )
}

/** Opens a message in its conversation, a reply in its thread. */
const addressOf = ({ id, channelId, threadId }: Message) => {
  const search = new URLSearchParams({ message: id, ...(threadId && { thread: threadId }) })
  return `${paths.channel(channelId)}?${search}`
}
