import type { QueryClient } from '@tanstack/react-query'
import type { Channel, ReadCursor } from '#contract/channels'
import type { Payload } from '#contract/events'
import { isStale, mergeCursor, newestSeq } from '../../../cache/read-cursor.ts'
import { patchChannel } from './channel-cache.ts'

/** Only members have a cursor. */
export const hasCursor = (channel: Channel): channel is Channel & ReadCursor => channel.lastReadSeq !== undefined

/** Applies my new read cursor, from this or another device. */
export function applyChannelRead(client: QueryClient, { channelId, rev, ...received }: Payload<'channel:read'>) {
  const apply = (channel: Channel) => {
    if (!hasCursor(channel)) return channel
    const cursor = mergeCursor(channel, received)
    return { ...channel, ...cursor, seq: newestSeq(cursor) }
  }
  patchChannel(client, channelId, apply, (held) => hasCursor(held) && isStale(received, held, rev < held.rev))
}
