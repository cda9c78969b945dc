import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Channel } from '#contract/channels'
import { readChannel } from '#contract/reading'
import { call, fetchResponse } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { useReadUpTo } from '../../../api-client/read-up-to.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { applyChannelRead } from '../cache/channel-cursor.ts'

/**
 * Says how far an open channel is read, and from where it is not. What is marked unread stays so until the channel is
 * opened again. Use it where a channel is opened: in a component of its own for each.
 */
export function useReading(channel: Channel | undefined) {
  const client = useQueryClient()
  const { id: channelId, lastReadSeq, readVersion, unread } = channel ?? {}
  const [openedWith, setOpenedWith] = useState<number>()
  // With nothing unread there is nothing to keep unread.
  if (openedWith !== readVersion && (openedWith === undefined || !unread)) setOpenedWith(readVersion)

  const { onSeen, forget } = useReadUpTo(readVersion === openedWith ? lastReadSeq : undefined, async (seq) => {
    if (channelId === undefined) return
    const input = { params: { channelId }, body: { seq, readVersion } }
    const answer = await fetchResponse(readChannel, input, { keepalive: true })
    applyChannelRead(client, { channelId, ...(await answer.json()) })
  })

  const markUnread = useCallback(
    async (seq: number) => {
      if (channelId === undefined) return
      forget()
      try {
        const cursor = await call(readChannel, { params: { channelId }, body: { seq, unread: true } })
        applyChannelRead(client, { channelId, ...cursor })
      } catch (error) {
        console.error('Failed to mark unread:', error)
        showToast(failureText('Failed to mark unread', error))
      }
    },
    [client, channelId, forget],
  )

  const newest = channel?.seq
  const markRead = useCallback(async () => {
    if (channelId === undefined || newest === undefined || !unread) return
    try {
      applyChannelRead(client, {
        channelId,
        ...(await call(readChannel, { params: { channelId }, body: { seq: newest } })),
      })
    } catch (error) {
      console.error('Failed to mark as read:', error)
      showToast(failureText('Failed to mark as read', error))
    }
  }, [client, channelId, newest, unread])
  return { onSeen, markUnread, markRead }
}
