import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Channel } from '#contract/channels'
import { readChannel } from '#contract/reading'
import { answerTo, call } from '../../api.ts'
import { atSignOut } from '../../leaving.ts'
import { showToast } from '../../ui/toast.tsx'
import { hearRead } from './channel-cursor.ts'
import { wordsFor } from './channel-errors.ts'

/** Milliseconds in which more comes on screen before it is said; until it is said again after a failure. */
const SOON = 300
const AGAIN = 5000

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

  const seen = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const say = useEffectEvent(async () => {
    const seq = seen.current
    timer.current = undefined
    if (channelId === undefined || lastReadSeq === undefined || readVersion !== openedWith || seq <= lastReadSeq) return
    try {
      const input = { params: { channelId }, body: { seq, readVersion } }
      const answer = await answerTo(readChannel, input, { keepalive: true })
      hearRead(client, { channelId, ...(await answer.json()) })
    } catch (error) {
      console.error('Could not say what was read:', error)
      timer.current ??= setTimeout(say, AGAIN)
    }
  })
  // Where somebody saw more than was said, it is said; also what was seen before it was known who reads.
  useEffect(() => {
    if (lastReadSeq !== undefined && seen.current > lastReadSeq) timer.current ??= setTimeout(say, SOON)
  }, [lastReadSeq])
  // Whoever goes on, goes away or signs out has read it.
  useEffect(() => {
    const sayNow = async () => {
      clearTimeout(timer.current)
      await say()
      return undefined
    }
    const end = atSignOut({ finish: sayNow })
    window.addEventListener('pagehide', sayNow)
    return () => {
      end()
      window.removeEventListener('pagehide', sayNow)
      void sayNow()
    }
  }, [])

  const onSeen = useCallback((seq: number) => {
    if (seq <= seen.current) return
    seen.current = seq
    timer.current ??= setTimeout(() => say(), SOON)
  }, [])

  const markUnread = useCallback(
    async (seq: number) => {
      if (channelId === undefined) return
      seen.current = 0
      try {
        const cursor = await call(readChannel, { params: { channelId }, body: { seq, unread: true } })
        hearRead(client, { channelId, ...cursor })
      } catch (error) {
        console.error('Failed to mark unread:', error)
        showToast(wordsFor(error as Error, 'Failed to mark unread'))
      }
    },
    [client, channelId],
  )

  const newest = channel?.seq
  const markRead = useCallback(async () => {
    if (channelId === undefined || newest === undefined || !unread) return
    try {
      hearRead(client, { channelId, ...(await call(readChannel, { params: { channelId }, body: { seq: newest } })) })
    } catch (error) {
      console.error('Failed to mark as read:', error)
      showToast(wordsFor(error as Error, 'Failed to mark as read'))
    }
  }, [client, channelId, newest, unread])
  return { onSeen, markUnread, markRead }
}
