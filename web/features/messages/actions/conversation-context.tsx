import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { usePreference } from '../../../browser/preferences.ts'

/** Where rows stand, and what I am there: one object for all of them, which stays the same while that does. */
export interface Place {
  /** The list of a channel, or a thread with its parent. */
  kind: 'channel' | 'thread'
  isMember: boolean
  /** What the conversation is called, as '#launch', for when it is gone; direct messages never are. */
  of?: string | undefined
  ownerId: string | null
  /** Whether a bare letter does something with the row that has the focus. */
  hasLetters: boolean
  openThread?: (parentId: string) => void
  /** Where a message can be marked unread, with all that follows it. */
  markUnread?: ((seq: number) => void) | undefined
}

const PlaceContext = createContext<Place>({ kind: 'channel', isMember: false, ownerId: null, hasLetters: true })

export const usePlace = () => useContext(PlaceContext)

interface Props extends Pick<Place, 'kind' | 'openThread' | 'markUnread'> {
  /** Until it is known, rows are only looked at. */
  channel: Channel | undefined
  children: ReactNode
}

/** Says to the rows in it where they stand. */
export function MessagePlace({ kind, channel, openThread: open, markUnread, children }: Props) {
  const go = useThreadOpener()
  const openThread = open ?? go
  const isMember = channel !== undefined && can.writeIn(channel)
  const ownerId = channel?.ownerId ?? null
  const of = nameOf(channel)
  const hasLetters = usePreference('letters') === 'on'
  const place = useMemo<Place>(
    () => ({ kind, isMember, of, ownerId, hasLetters, openThread, markUnread }),
    [kind, isMember, of, ownerId, hasLetters, openThread, markUnread],
  )
  return <PlaceContext value={place}>{children}</PlaceContext>
}

export const nameOf = (channel: Channel | undefined) =>
  channel && channel.kind !== 'direct' ? `#${channel.name}` : undefined

/** The router's own function is another one at each address, and with it every row would be drawn anew. */
function useThreadOpener() {
  const [, setParams] = useSearchParams()
  const latest = useRef(setParams)
  useEffect(() => {
    latest.current = setParams
  })
  return useCallback((parentId: string) => {
    latest.current((params) => {
      params.set('thread', parentId)
      return params
    })
  }, [])
}
