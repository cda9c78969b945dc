import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Location, useLocation, useNavigate, useNavigationType } from 'react-router'
import type { Channel } from '#contract/channels'
import { endChannelKey } from '../../features/channels/cache/end-channel-key.ts'
import { useGoToDashboard } from '../../features/channels/menu/use-go-to-dashboard.ts'
import { type SubscriptionEnd, useChannelSubscription } from '../../socket/channel-subscription.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

/** A conversation that ended under the hands of whoever looks at it. */
export interface Ended {
  channelId: string
  /** The visit it ended in: whoever comes again sees what is there then. */
  visit: string
  why: SubscriptionEnd
  /** As it was when it was last there. */
  channel: Channel
}

/**
 * Looks at the open channel. Where it ends for me, answers how, until I go on by myself: nothing takes its place under
 * my hands. Where I ended it myself here, goes on to another one; where it could not be joined, back to the one before.
 */
export function useLeaveEndedChannel(channelId: string, channel: Channel | undefined, isMissing: boolean) {
  const client = useQueryClient()
  const goOn = useGoToDashboard()
  const navigate = useNavigate()
  const location = useLocation()
  const { key: visit } = location
  const [last, setLast] = useState<Ended>()
  /** The visit in which joining was refused. */
  const [refused, setRefused] = useState<string>()
  const ended = last?.channelId === channelId && last.visit === visit ? last : undefined
  /** As it was when it was last there. */
  const known = useRef<Channel>(undefined)

  const depart = useCallback(
    (why: SubscriptionEnd) => {
      const { current: left } = known
      if (left?.id !== channelId) return
      known.current = undefined
      if (client.isMutating({ mutationKey: endChannelKey(channelId) }) > 0) return goOn(channelId)
      setLast({ channelId, visit, why, channel: left })
    },
    [client, goOn, channelId, visit],
  )

  useChannelSubscription(ended ? undefined : channelId, {
    isVisiting: () => known.current?.id === channelId && !known.current.isMember,
    onEnd: depart,
    onFailure: (error, isArrival) => {
      console.error(error)
      // Of a channel that is not there the page says so.
      if (error.message.endsWith('timeout')) showToast(error.message)
      else if (isArrival) setRefused(visit)
    },
  })

  /** Where a channel was shown last. */
  const shown = useRef<Location>(undefined)
  const isRefused = refused === visit && isMissing && !ended
  useEffect(() => {
    const { current: before } = shown
    if (!isRefused || !before || before.pathname === location.pathname) return
    showToast('Channel not found. It was deleted, or it is private and you are not a member.')
    void navigate(before, { replace: true, state: { isBack: true } })
  }, [isRefused, location, navigate])
  useEffect(() => {
    if (channel) shown.current = location
  }, [channel, location])

  useEffect(() => {
    if (ended) return
    const before = known.current?.id === channelId ? known.current : undefined
    if (before?.isMember && (isMissing || channel?.isMember === false)) depart('left')
    else known.current = channel
  }, [channelId, channel, isMissing, depart, ended])

  /** Whether I was led back here just now: what I type may be meant for where I wanted to go. */
  const isBack = useNavigationType() === 'REPLACE' && location.state?.isBack === true
  return { ended, isBack, reopen: () => setLast(undefined) }
}
