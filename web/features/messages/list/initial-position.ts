import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router'
import type { Channel } from '#contract/channels'
import { logFailure } from '../../../api-client/failure-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import type { AnchoredListHandle } from '../../../ui/list/anchored-list.tsx'
import type { Target } from '../../../ui/list/list-anchor.ts'
import { type Anchor, isNearEnd, loadFrom, messagesIn } from '../sync/message-queries.ts'
import { findLinked, useRing } from './linked-message.ts'
import { keyOf, NEW } from './list-items.ts'
import { leavePlace, type ReadingPlace, returnTo, wasLeft } from './scroll-history.ts'

interface Options {
  channelId: string
  channel: Channel | undefined
  /** Whether nothing will be known of the channel. */
  isUnknown: boolean
  /** The number at which the unread begins. */
  newFrom: number | undefined
  list: RefObject<AnchoredListHandle | null>
}

/**
 * Opens a channel where its reader wants to be: at the message of the address, where they were when they come back, at
 * the first unread message, or at the newest. Once open it goes where the address and the reader say.
 */
export function useOpening({ channelId, channel, isUnknown, newFrom, list }: Options) {
  const client = useQueryClient()
  const { key: entry } = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const [params, setParams] = useSearchParams()
  const linked = params.get('message')?.toLowerCase()
  const { ringed, ring } = useRing()
  const [isSeeking, setSeeking] = useState(false)
  const where = useWhere(entry, linked !== undefined)

  // While nothing is held: a link, and what is far back, are read at once instead of the newest page.
  const first: Anchor = linked
    ? { id: linked }
    : newFrom !== undefined && !isNearEnd(newFrom, channel?.seq)
      ? { seq: newFrom }
      : undefined
  const { data, error, refetch } = useQuery(messagesIn(channelId, null, first))
  const [opened, setOpened] = useState<{ start: Target | undefined } | undefined>(() => {
    // What is held already and ends with the newest message stands there at once, where nothing leads elsewhere.
    const isElsewhere = linked || newFrom !== undefined || (isReturn && wasLeft(entry))
    return data && !data.hasNewer && channel && !isElsewhere ? { start: undefined } : undefined
  })

  async function goToLatest(): Promise<Target | undefined> {
    const { messages } = await loadFrom(client, channelId, undefined)
    const last = messages.at(-1)
    return last && { key: keyOf(last), at: 'end' }
  }

  async function goToFirstUnread(): Promise<Target | undefined> {
    if (newFrom === undefined) return undefined
    await loadFrom(client, channelId, { seq: newFrom })
    return { key: NEW, at: 'start' }
  }

  async function follow(id: string, isWanted: () => boolean) {
    setSeeking(true)
    const found = await findLinked(client, channelId, id)
    setSeeking(false)
    if (!isWanted()) return
    await go(async () => {
      if (found) return { key: keyOf(found), at: 'middle' }
      return opened ? undefined : goToFirstUnread()
    })
    ring(found?.id)
    // Once followed, a link does not pull the reader back.
    setParams(
      (now) => {
        now.delete('message')
        if (found && found.id !== id) now.set('thread', found.id)
        return now
      },
      { replace: true },
    )
  }

  async function goBack(place: ReadingPlace): Promise<Target | undefined> {
    if (place === 'end') return goToLatest()
    const { messages } = await loadFrom(client, channelId, { id: place.id })
    const message = messages.find(({ id }) => id === place.id)
    return message && { key: keyOf(message), at: place.at }
  }

  /** Goes somewhere in the list; or opens it there. */
  async function go(way: () => Promise<Target | undefined>, isWanted = () => true) {
    const target = await way().catch((reason) => {
      showToast(logFailure('Failed to load messages', reason))
      return undefined
    })
    if (!isWanted()) return
    if (!opened) setOpened({ start: target?.at === 'end' ? undefined : target })
    else if (target) list.current?.show(target)
  }

  const open = useEffectEvent((isWanted: () => boolean) => {
    // Read anew, because too much had changed, it opens where it was.
    const place = (isReturn ? returnTo(entry) : undefined) ?? (opened ? undefined : where.here())
    if (linked) void follow(linked, isWanted)
    else if (place) void go(() => goBack(place), isWanted)
    else if (!opened) void go(newFrom === undefined ? goToLatest : goToFirstUnread, isWanted)
  })
  const isLoaded = data !== undefined
  const isKnown = channel !== undefined || isUnknown || linked !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry may be one that was left somewhere
  useEffect(() => {
    if (!isLoaded || !isKnown) return
    let isWanted = true
    open(() => isWanted)
    return () => {
      isWanted = false
    }
  }, [isLoaded, isKnown, linked, entry])

  if (opened && !isLoaded) setOpened(undefined)

  return {
    data: opened && data,
    error: data ? null : error,
    refetch,
    start: opened?.start,
    ringed,
    isSeeking,
    noteWhere: where.note,
    toLatest: () => void go(goToLatest),
    toFirstUnread: () => void go(goToFirstUnread),
  }
}

/** Keeps where the reader is, for when they come back: from another channel, or from where a link led them. */
function useWhere(entry: string, isLeaving: boolean) {
  const here = useRef<ReadingPlace>(undefined)
  const at = useRef(entry)
  useEffect(() => {
    if (at.current !== entry && isLeaving && here.current) leavePlace(at.current, here.current)
    at.current = entry
  }, [entry, isLeaving])
  useEffect(
    () => () => {
      if (here.current && here.current !== 'end') leavePlace(at.current, here.current)
    },
    [],
  )
  return {
    here: () => here.current,
    note: (place: ReadingPlace) => {
      here.current = place
    },
  }
}
