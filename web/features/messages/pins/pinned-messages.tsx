import { useQuery } from '@tanstack/react-query'
import { PinOff } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { shownName } from '../../../people/shown-name.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { shortTime } from '../../../ui/format/short-time.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { useRoving } from '../../../ui/list/roving.ts'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { ConversationProvider, useConversation } from '../actions/conversation-context.tsx'
import { useIsDeleted } from '../actions/pending-deletions.ts'
import { setPin } from '../actions/set-pin.ts'
import { AttachedFiles } from '../content/attached-files.tsx'
import { MessageBody } from '../row/message-body.tsx'
import { usePinnedBy } from '../row/pinned-line.tsx'
import { isStreaming } from '../sync/answer-progress.ts'
import { pinsIn } from '../sync/pin-queries.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Whether it takes the focus. */
  takesFocus: boolean
  /** The link to a message in its conversation. */
  linkTo: (message: Message) => string
}

/** What is pinned in a channel, last pinned first. */
export function PinnedMessages({ channelId, channel, takesFocus, linkTo }: Props) {
  const { data: pins, error, refetch } = useQuery(pinsIn(channelId))
  const list = useRef<HTMLElement>(null)
  useRoving(list)
  const [focuses] = useState(takesFocus)
  useEffect(() => {
    if (focuses) list.current?.focus()
  }, [focuses])
  return (
    <section
      ref={list}
      tabIndex={-1}
      data-region=""
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain outline-none"
    >
      <ConversationProvider kind="channel" channel={channel}>
        {!pins && !error && <SkeletonRows />}
        {!pins && error && <LoadError text={t('messages.pins.failed')} retry={() => refetch()} isRetried />}
        {pins?.length === 0 && <NothingPinned />}
        {pins && pins.length > 0 && (
          <ul>
            {pins.map((message) => (
              <Pinned key={message.id} message={message} link={linkTo(message)} />
            ))}
          </ul>
        )}
      </ConversationProvider>
    </section>
  )
}

function NothingPinned() {
  const { canPost } = useConversation()
  return (
    <Notice title={t('messages.pins.none')}>
      {canPost ? t('messages.pins.noneText') : t('messages.pins.noneVisitor')}
    </Notice>
  )
}

function Pinned({ message, link }: { message: Message; link: string }) {
  const isDeleted = useIsDeleted(message)
  const { user, createdAt, files } = message
  const name = shownName(user.name)
  return (
    <li className="border-line border-b last:border-b-0">
      <article
        aria-label={t('messages.row.label', { name, time: wholeTime(createdAt) })}
        className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2 px-(--gutter) py-3"
      >
        <span className="*:size-6 *:rounded-s *:text-meta">
          <Avatar id={user.id} name={name} color={user.color} size="s" />
        </span>
        <div className="min-w-0">
          <p className="flex items-baseline gap-2 leading-6">
            <bdi className="truncate font-[620] text-ui">{name}</bdi>
            <time
              dateTime={createdAt}
              title={wholeTime(createdAt)}
              className="flex-none text-faint text-meta tabular-nums"
            >
              {shortTime(createdAt)}
            </time>
          </p>
          {isDeleted ? (
            <p className="text-faint text-ui italic">{t('messages.row.deleted')}</p>
          ) : (
            <>
              <Shortened>
                <Text message={message} />
              </Shortened>
              {files.length > 0 && <AttachedFiles files={files} />}
            </>
          )}
          <PinLine message={message} link={link} isDeleted={isDeleted} />
        </div>
      </article>
    </li>
  )
}

function Text({ message }: { message: Message }) {
  const me = useMe()
  if (isStreaming(message)) return <p className="text-faint">{t('messages.row.thinking')}</p>
  return <MessageBody id={`pin-${message.id}`} message={message} meId={me.id} onResumeEdit={undefined} />
}

/** Who pinned it and when, the way to it, and a button to unpin it. */
function PinLine({ message, link, isDeleted }: { message: Message; link: string; isDeleted: boolean }) {
  const { canPost } = useConversation()
  const pinnedBy = usePinnedBy(message.pin)
  const { pin, threadId } = message
  if (!pin) return null
  return (
    <div className="mt-1.5 flex min-h-7 items-center gap-1 text-meta">
      <p className="flex min-w-0 flex-1 gap-1 text-faint" title={wholeTime(pin.at)}>
        <bdi className="truncate">{pinnedBy}</bdi>
        <span aria-hidden="true">·</span>
        <time dateTime={pin.at} className="flex-none tabular-nums">
          {shortTime(pin.at)}
        </time>
      </p>
      <Link
        to={link}
        className="flex-none rounded-s px-1.5 py-1 font-[600] text-pine hover:underline pointer-coarse:py-3.5"
      >
        {threadId ? t('messages.pins.goToReply') : t('messages.pins.goTo')}
      </Link>
      {canPost && !isDeleted && (
        <IconButton name={t('messages.actions.unpin')} onClick={() => void setPin(message, false)}>
          <PinOff size={14} />
        </IconButton>
      )}
    </div>
  )
}

/** The beginning of a long text. All of it while something in it has the focus. */
function Shortened({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  useLayoutEffect(() => {
    const element = box.current as HTMLElement
    const measure = () => setCut(element.scrollHeight > element.clientHeight + 1)
    const sizes = new ResizeObserver(measure)
    // The box itself stops growing at its maximum.
    for (const part of [element, ...element.children]) sizes.observe(part)
    return () => sizes.disconnect()
  }, [])
  return (
    <div
      ref={box}
      className={`text-ui not-focus-within:max-h-80 not-focus-within:overflow-clip ${isCut ? 'not-focus-within:[mask-image:linear-gradient(#000_17rem,transparent_20rem)]' : ''}`}
    >
      {children}
    </div>
  )
}
