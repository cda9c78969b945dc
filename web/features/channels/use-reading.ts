import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Channel } from '#contract/channels'
import { readChannel } from '#contract/reading'
import { call } from '../../api.ts'
import { hearRead } from './channel-events.ts'

/** Says of an open channel that it is read, as long as somebody looks at the page. */
export function useReading(channel: Channel | undefined) {
  const client = useQueryClient()
  const { id: channelId, seq, unread = 0, readVersion } = channel ?? {}
  useEffect(() => {
    if (channelId === undefined || seq === undefined || unread === 0) return
    let isSaid = false
    const read = () => {
      if (isSaid || !document.hasFocus()) return
      isSaid = true
      call(readChannel, { params: { channelId }, body: { seq, readVersion } }).then(
        (cursor) => hearRead(client, { channelId, ...cursor }),
        (error) => console.error('Could not say what was read:', error),
      )
    }
    read()
    window.addEventListener('focus', read)
    return () => window.removeEventListener('focus', read)
  }, [client, channelId, seq, unread, readVersion])
}
