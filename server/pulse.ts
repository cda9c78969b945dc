import { channelRoom, type Publisher } from './realtime.ts'
import type { Changes } from './watch.ts'
import type { Writer } from './writer.ts'

interface Behind {
  id: string
  rev: number
  seq: number
  looks: number
}

/** Looks after which a channel's revision is told although this node is still at work in it. */
const MOST_LOOKS = 5

/**
 * Silence is not safety: an event is lost when its process dies between commit and publish, or gave up before the commit.
 * Tells how far channels have come where this node told less itself; where it is at work, once it had time to tell.
 */
export function openPulse({ publish, told, writer }: Publisher & { writer: Writer }) {
  const behind = new Map<string, Behind>()

  return (channels: Changes['channels']) => {
    for (const channel of channels) behind.set(channel.id, { looks: 0, ...behind.get(channel.id), ...channel })
    for (const it of behind.values()) {
      const { id: channelId, rev, seq } = it
      const isTold = told(channelId) >= rev
      if (!isTold && writer.isBusy(channelId) && ++it.looks < MOST_LOOKS) continue
      behind.delete(channelId)
      if (!isTold) publish(channelRoom(channelId), 'channel:rev', { channelId, rev, seq })
    }
  }
}
