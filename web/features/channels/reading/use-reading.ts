import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Channel } from '#contract/channels'
import { readChannel } from '#contract/read-cursors'
import { call, fetchResponse } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { useReadUpTo } from '../../../api-client/read-up-to.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { applyChannelRead } from '../cache/channel-cursor.ts'

/**
 * Moves my read cursor in an open channel. Messages that I mark as unread stay so until I open the channel again. The
 * component that uses it needs the channel as its key.
 */
export function useReading(channel: Channel | undefined) {
  const client = useQueryClient()
  const { id: channelId, lastReadSeq, readVersion, unread } = channel ?? {}
  const [openedWith, setOpenedWith] = useState<number>()
  // Once nothing is unread, reads are sent again.
  if (openedWith !== readVersion && (openedWith === undefined || !unread)) setOpenedWith(readVersion)

  const { onSeen, forget } = useReadUpTo(readVersion === openedWith ? lastReadSeq : undefined, async (seq) => {
    if (channelId === undefined) return
    const input = { params: { channelId }, body: { seq, readVersion } }
    const response = await fetchResponse(readChannel, input, { keepalive: true })
    applyChannelRead(client, { channelId, ...(await response.json()) })
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
        showToast(failureText(t('channels.markUnreadFailed'), error))
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
      showToast(failureText(t('channels.markReadFailed'), error))
    }
  }, [client, channelId, newest, unread])
  return { onSeen, markUnread, markRead }
}
