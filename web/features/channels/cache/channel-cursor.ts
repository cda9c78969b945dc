import type { QueryClient } from '@tanstack/react-query'
import type { Channel, ReadCursor } from '#contract/channels'
import type { Payload } from '#contract/events'
import { isStale, mergeCursor, newestSeq } from '../../../cache/read-cursor.ts'
import { patchChannel } from './channel-cache.ts'

/** Only members have a cursor. */
export const hasCursor = (channel: Channel): channel is Channel & ReadCursor => channel.lastReadSeq !== undefined

/** I have read this far, here or on another device. */
export function applyChannelRead(client: QueryClient, { channelId, rev, ...told }: Payload<'channel:read'>) {
  const read = (channel: Channel) => {
    if (!hasCursor(channel)) return channel
    const cursor = mergeCursor(channel, told)
    return { ...channel, ...cursor, seq: newestSeq(cursor) }
  }
  patchChannel(client, channelId, read, (held) => hasCursor(held) && isStale(told, held, rev < held.rev))
}
