import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router'
import type { Channel } from '#contract/channels'
import { endChannelKey } from '../../features/channels/cache/end-channel-key.ts'
import { useGoToDashboard } from '../../features/channels/menu/use-go-to-dashboard.ts'
import { t } from '../../i18n/text.ts'
import { type SubscriptionEnd, SubscriptionTimeout, useChannelSubscription } from '../../socket/channel-subscription.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

/** A conversation that ended while it was open. */
export interface Ended {
  channelId: string
  /** The visit in which it ended: a later visit shows the current state. */
  visit: string
  why: SubscriptionEnd
  /** Its last known state. */
  channel: Channel
}

/**
 * Subscribes to the open channel. If it ends for me, returns how until I navigate away, because nothing may replace it while
 * I may be typing. If I left or deleted it here, goes to another channel; if it cannot be found, back to the previous one; if
 * it cannot be joined, offers to go back.
 */
export function useLeaveEndedChannel(channelId: string, channel: Channel | undefined, isMissing: boolean) {
  const client = useQueryClient()
  const goToDashboard = useGoToDashboard()
  const navigate = useNavigate()
  const location = useLocation()
  const { key: visit } = location
  const [last, setLast] = useState<Ended>()
  /** The visit in which the channel could not be joined, and a sentence that says so. */
  const [refused, setRefused] = useState<{ visit: string; text: string }>()
  const ended = last?.channelId === channelId && last.visit === visit ? last : undefined
  /** The last known state of the channel. */
  const known = useRef<Channel>(undefined)

  const endVisit = useCallback(
    (why: SubscriptionEnd) => {
      const { current: left } = known
      if (left?.id !== channelId) return
      known.current = undefined
      if (client.isMutating({ mutationKey: endChannelKey(channelId) }) > 0) return goToDashboard(channelId)
      setLast({ channelId, visit, why, channel: left })
    },
    [client, goToDashboard, channelId, visit],
  )

  useChannelSubscription(ended ? undefined : channelId, {
    isVisiting: () => known.current?.id === channelId && !known.current.isMember,
    onEnd: endVisit,
    onFailure: (error, isArrival) => {
      console.error(error)
      if (isArrival) setRefused({ visit, text: failureTextOf(error) })
      else if (error instanceof SubscriptionTimeout) showToast(failureTextOf(error))
    },
  })

  /** The last location that showed a channel. */
  const shown = useRef<Location>(undefined)
  const refusalToast = useRef(() => {})
  useEffect(() => {
    const isKnown = channel !== undefined
    if (refused?.visit !== visit || ended || (!isKnown && !isMissing)) return
    setRefused(undefined)
    const { current: before } = shown
    if (isKnown) {
      // Before the first page there is no page of ours.
      const goBack = visit !== 'default' && { action: { name: t('channels.goBack'), act: () => void navigate(-1) } }
      refusalToast.current = showToast(refused.text, goBack || {})
    } else if (before && before.pathname !== location.pathname) {
      showToast(t('channels.ended.notFoundToast'))
      void navigate(before, { replace: true, state: { isBack: true } })
    }
  }, [refused, visit, ended, channel, isMissing, location, navigate])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is about this visit only
  useEffect(() => () => refusalToast.current(), [visit])
  useEffect(() => {
    if (channel) shown.current = location
  }, [channel, location])

  useEffect(() => {
    if (ended) return
    const before = known.current?.id === channelId ? known.current : undefined
    if (before?.isMember && (isMissing || channel?.isMember === false)) endVisit('left')
    // While it is refetched, the last known state stays.
    else if (channel) known.current = channel
  }, [channelId, channel, isMissing, endVisit, ended])

  /** Whether I was just sent back here: what I type may be meant for the page I tried to open. */
  const isBack = useNavigationType() === 'REPLACE' && location.state?.isBack === true
  return { ended, isBack, reopen: () => setLast(undefined) }
}

function failureTextOf(error: Error) {
  // The server's messages are in English.
  if (!(error instanceof SubscriptionTimeout)) return t('channels.joinFailed')
  return error.action === 'join' ? t('channels.joinTimeout') : t('channels.leaveTimeout')
}
