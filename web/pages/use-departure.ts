import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Channel } from '#contract/channels'
import { endingOf } from '../features/channels/channel-ending.ts'
import { strand } from '../features/messages/outbox.ts'
import { type Ending, useLooking } from '../looking.ts'
import { showToast } from '../ui/toast.tsx'
import { useGoOn } from './use-go-on.ts'

/** Looks at the open channel. Where it ends for me, goes on to another one and says why. */
export function useDeparture(channelId: string, channel: Channel | undefined, isMissing: boolean) {
  const client = useQueryClient()
  const goOn = useGoOn()
  /** As it was when it was last there. */
  const known = useRef<Channel>(undefined)

  const depart = useCallback(
    (why: Ending | 'missed') => {
      const { current: left } = known
      if (left?.id !== channelId) return
      known.current = undefined
      goOn(channelId)
      if (why === 'deleted' || why === 'closed') strand(channelId)
      // Whoever ended it themselves is told where they did.
      if (client.isMutating({ mutationKey: endingOf(channelId) }) === 0) showToast(wordsFor(why, left))
    },
    [client, goOn, channelId],
  )

  useLooking(channelId, {
    isVisiting: () => known.current?.id === channelId && !known.current.isMember,
    onEnd: depart,
    onFailure: (error) => {
      console.error(error)
      // Of a channel that is not there the page says so.
      if (error.message === 'Channel join timeout') showToast(error.message)
    },
  })

  useEffect(() => {
    const before = known.current?.id === channelId ? known.current : undefined
    const isOver = before?.isMember && (isMissing || channel?.isMember === false)
    if (isMissing) strand(channelId)
    if (isOver) depart('missed')
    else known.current = channel
  }, [channelId, channel, isMissing, depart])
}

function wordsFor(why: Ending | 'missed', { name, isMember }: Channel) {
  if (why === 'deleted') return `#${name} was deleted`
  if (why === 'closed' || !isMember) return `#${name} is private now`
  return why === 'left' ? `You were removed from #${name}` : `You are no longer in #${name}`
}
