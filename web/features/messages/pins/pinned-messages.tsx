import { useQuery } from '@tanstack/react-query'
import { PinOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
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
import { MessageCard } from '../row/message-card.tsx'
import { usePinnedBy } from '../row/pinned-line.tsx'
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
  return (
    <li className="border-line border-b last:border-b-0">
      <MessageCard message={message} className="px-(--gutter)">
        <PinLine message={message} link={link} />
      </MessageCard>
    </li>
  )
}

/** Who pinned it and when, the way to it, and a button to unpin it. */
function PinLine({ message, link }: { message: Message; link: string }) {
  const { canPost } = useConversation()
  const isDeleted = useIsDeleted(message)
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
