import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { usePreference } from '../../../browser/preferences.ts'
import { useMe } from '../../../me.tsx'
import { latestArrival } from '../../../ui/arrivals.ts'
import { serverNow } from '../../../ui/format/clock.ts'

/** What rows need to know about their conversation. The object changes only when one of its fields does. */
export interface Conversation {
  /** A channel's list, or a thread with its parent. */
  kind: 'channel' | 'thread'
  isMember: boolean
  /** Whether I may react and quote. */
  canChange: boolean
  /** Whether I may write messages (`canPost`) and replies (`canReply`). Editing mine needs the same. */
  canPost: boolean
  canReply: boolean
  /** The channel's name, such as '#launch', for drafts that outlive the channel. Direct messages cannot be deleted. */
  of?: string | undefined
  ownerId: string | null
  /** Whether single-letter shortcuts work on the focused row. */
  hasLetters: boolean
  /** When it appeared, as a point of `hasJustArrived`: only what arrives later may move. */
  since: number
  openThread?: (parentId: string) => void
  /** Marks a message and all later ones as unread; undefined where that is impossible. */
  markUnread?: ((seq: number) => void) | undefined
}

const ConversationContext = createContext<Conversation>({
  kind: 'channel',
  isMember: false,
  canChange: false,
  canPost: false,
  canReply: false,
  ownerId: null,
  hasLetters: true,
  since: 0,
})

export const useConversation = () => useContext(ConversationContext)

interface Props extends Pick<Conversation, 'kind' | 'openThread' | 'markUnread'> {
  /** While it is unknown, rows are read-only. */
  channel: Channel | undefined
  children: ReactNode
}

export function ConversationProvider({ kind, channel, openThread: open, markUnread, children }: Props) {
  const go = useThreadOpener()
  const openThread = open ?? go
  const isMember = channel !== undefined && can.writeIn(channel)
  const me = useMe()
  const { mutedUntil } = me
  const isMuted = mutedUntil != null && Date.parse(mutedUntil) > serverNow()
  const canChange = isMember && !channel.archivedAt && !isMuted
  const canPost = canChange && can.post(me, channel)
  const canReply = canChange && can.reply(me, channel)
  const ownerId = channel?.ownerId ?? null
  const of = nameOf(channel)
  const hasLetters = usePreference('letters') === 'on'
  const [since] = useState(latestArrival)
  const conversation = useMemo<Conversation>(
    () => ({ kind, isMember, canChange, canPost, canReply, of, ownerId, hasLetters, since, openThread, markUnread }),
    [kind, isMember, canChange, canPost, canReply, of, ownerId, hasLetters, since, openThread, markUnread],
  )
  return <ConversationContext value={conversation}>{children}</ConversationContext>
}

export const nameOf = (channel: Channel | undefined) =>
  channel && channel.kind !== 'direct' ? `#${channel.name}` : undefined

/** React Router's setter changes with each URL, which would rerender every row. */
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
