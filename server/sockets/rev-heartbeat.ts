import { sql } from 'kysely'
import type { Channel } from '#contract/channels'
import type { Changes } from '../changes/watch.ts'
import { presentChannels, selectChannels } from '../channels/channel-rows.ts'
import { channelRoom, everyone, type Publisher } from '../realtime.ts'
import type { Services } from '../services.ts'

interface Behind {
  id: string
  rev: number
  seq: number
  looks: number
  /** A public channel was made, opened or changed: everyone is to see what it is now. */
  isForAll: boolean
}

/** Looks after which a channel's revision is told although this node is still at work in it. */
const MOST_LOOKS = 5

/**
 * Silence is not safety: an event is lost when its process dies between commit and publish, or gave up before the commit.
 * Tells how far channels have come where this node told less itself; where it is at work, once it had time to tell. Of
 * public channels that others made, opened or changed it tells everyone what they are.
 */
export function openPulse(services: Services, { publish, told }: Publisher) {
  const { db, log, writer } = services
  const behind = new Map<string, Behind>()

  function publishRev({ id: channelId, rev, seq }: Behind) {
    if (told(channelId) < rev) publish(channelRoom(channelId), 'channel:rev', { channelId, rev, seq })
  }

  async function publishToAll(changed: Behind[]) {
    const ids = changed.map(({ id }) => id)
    try {
      const open = selectChannels(db, '')
        .where('channels.id', '=', sql<string>`any(${ids}::uuid[])`)
        .where('kind', '=', 'public')
      const rows = await open.select('selfRev').execute()
      const channels = await presentChannels(services, rows)
      // Under the revision at which it changed itself: who takes the event for all that is new must not miss a message.
      for (const [i, { id, selfRev }] of rows.entries())
        if (told(id) < selfRev) publish(everyone, 'channel:updated', { ...(channels[i] as Channel), rev: selfRev })
      // What was said since, and where one became private meanwhile.
      for (const it of changed) publishRev(it)
    } catch (error) {
      log.warn({ err: error }, 'channels that others changed could not be told yet')
      for (const it of changed) behind.set(it.id, { ...it, ...behind.get(it.id), isForAll: true })
    }
  }

  return ({ channels, access }: Pick<Changes, 'channels' | 'access'>) => {
    const isOpen = ({ userId, isPublic, isDeleted }: Changes['access'][number]) =>
      userId === '' && isPublic && !isDeleted
    const open = new Set(access.filter(isOpen).map(({ channelId }) => channelId))
    for (const channel of channels) {
      const { looks = 0, isForAll = false } = behind.get(channel.id) ?? {}
      behind.set(channel.id, { ...channel, looks, isForAll: isForAll || open.has(channel.id) })
    }
    const forAll: Behind[] = []
    for (const it of behind.values()) {
      const isTold = told(it.id) >= it.rev
      if (!isTold && writer.isBusy(it.id) && ++it.looks < MOST_LOOKS) continue
      behind.delete(it.id)
      if (!isTold && it.isForAll) forAll.push(it)
      else publishRev(it)
    }
    if (forAll.length > 0) void publishToAll(forAll)
  }
}
