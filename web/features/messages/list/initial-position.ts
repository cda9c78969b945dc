import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router'
import type { Channel } from '#contract/channels'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import type { AnchoredListHandle } from '../../../ui/list/anchored-list.tsx'
import type { ScrollTarget } from '../../../ui/list/list-anchor.ts'
import { type Anchor, isNearEnd, messagesIn } from '../sync/message-queries.ts'
import { findLinked, useHighlightedMessage } from './linked-message.ts'
import { rowKey } from './list-items.ts'
import { hasPosition, popPosition, usePositionTracking } from './scroll-history.ts'
import { firstUnread, latestMessage, readingPosition } from './scroll-targets.ts'

interface Options {
  channelId: string
  channel: Channel | undefined
  /** Whether loading the channel has failed for good. */
  isUnknown: boolean
  /** The `seq` of the first unread message. */
  newFrom: number | undefined
  list: RefObject<AnchoredListHandle | null>
}

/**
 * Opens a channel at the message that the URL links to, where the user left it, at the first unread message, or at the
 * newest, in that order. Afterwards it scrolls to followed links and to the targets of the jump buttons.
 */
export function useInitialPosition({ channelId, channel, isUnknown, newFrom, list }: Options) {
  const client = useQueryClient()
  const { key: entry } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const [params, setParams] = useSearchParams()
  const linked = params.get('message')?.toLowerCase()
  const { highlighted, highlight } = useHighlightedMessage()
  const [isSeeking, setSeeking] = useState(false)
  const { currentPosition, trackPosition } = usePositionTracking(entry, linked !== undefined)

  const { data, error, refetch } = useQuery(messagesIn(channelId, null, firstAnchor(linked, newFrom, channel?.seq)))
  const [opened, setOpened] = useState<{ start: ScrollTarget | undefined } | undefined>(() => {
    // A cached window that ends with the newest message is shown at once, unless the list has to open elsewhere.
    const isElsewhere = linked || newFrom !== undefined || (isReturn && hasPosition(entry))
    return data && !data.hasNewer && channel && !isElsewhere ? { start: undefined } : undefined
  })
  const isLoaded = data !== undefined
  if (opened && !isLoaded) setOpened(undefined)

  /** Scrolls the list to a target, or opens it there. */
  async function scrollTo(load: () => Promise<ScrollTarget | undefined>, isCurrent = () => true) {
    const target = await load().catch((reason) => {
      showToast(logFailure(t('messages.failed.load'), reason))
      return undefined
    })
    if (!isCurrent()) return
    if (!opened) setOpened({ start: target?.at === 'end' ? undefined : target })
    else if (target) list.current?.show(target)
  }

  const loadLatest = () => latestMessage(client, channelId)
  const loadFirstUnread = () => firstUnread(client, channelId, newFrom)

  async function followLink(id: string, isCurrent: () => boolean) {
    setSeeking(true)
    const found = await findLinked(client, channelId, id)
    setSeeking(false)
    if (!isCurrent()) return
    await scrollTo(async () => {
      if (found) return { key: rowKey(found), at: 'middle' }
      return opened ? undefined : loadFirstUnread()
    })
    highlight(found?.id)
    // A followed link must not scroll the user back later.
    setParams(
      (now) => {
        now.delete('message')
        if (!found || found.id === id) return now
        now.set('thread', found.id)
        now.set('reply', id)
        return now
      },
      { replace: true },
    )
  }

  const open = useEffectEvent((isCurrent: () => boolean) => {
    if (linked) return void followLink(linked, isCurrent)
    // A window that was reset because too much had changed reopens where the user was.
    const position = (isReturn ? popPosition(entry) : undefined) ?? (opened ? undefined : currentPosition())
    if (position) return void scrollTo(() => readingPosition(client, channelId, position), isCurrent)
    if (!opened) void scrollTo(newFrom === undefined ? loadLatest : loadFirstUnread, isCurrent)
  })
  const canOpen = isLoaded && (channel !== undefined || isUnknown || linked !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each history entry may have a position of its own
  useEffect(() => {
    if (!canOpen) return
    let isCurrent = true
    open(() => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [canOpen, linked, entry])

  return {
    data: opened && data,
    error: data ? null : error,
    refetch,
    start: opened?.start,
    highlighted,
    isSeeking,
    trackPosition,
    toLatest: () => void scrollTo(loadLatest),
    toFirstUnread: () => void scrollTo(loadFirstUnread),
  }
}

/** Where the first page is fetched: at a link or at distant unread messages, otherwise at the newest message. */
function firstAnchor(linked: string | undefined, newFrom: number | undefined, newest: number | undefined): Anchor {
  if (linked) return { id: linked }
  if (newFrom !== undefined && !isNearEnd(newFrom, newest)) return { seq: newFrom }
  return undefined
}
