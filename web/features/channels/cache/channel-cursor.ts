import type { QueryClient } from '@tanstack/react-query'
import type { Channel, ReadCursor } from '#contract/channels'
import type { Payload } from '#contract/events'
import { afterRead, knowsLess, newest } from '../../../cache/read-cursor.ts'
import { changeChannel } from './channel-cache.ts'

/** A member has a cursor. */
export const isCounted = (channel: Channel): channel is Channel & ReadCursor => channel.lastReadSeq !== undefined

/** I have read so far, here or elsewhere. */
export function hearRead(client: QueryClient, { channelId, rev, ...told }: Payload<'channel:read'>) {
  const read = (channel: Channel) => {
    if (!isCounted(channel)) return channel
    const cursor = afterRead(channel, told)
    return { ...channel, ...cursor, seq: newest(cursor) }
  }
  changeChannel(client, channelId, read, (held) => isCounted(held) && knowsLess(told, held, rev < held.rev))
}
