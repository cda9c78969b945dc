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
  polls: number
  /** A public channel was made, opened or changed: everyone is to see what it is now. */
  isForEveryone: boolean
}

/** Looks after which a channel's revision is told although this node is still at work in it. */
const MAX_POLLS = 5

/**
 * Silence is not safety: an event is lost when its process dies between commit and publish, or gave up before the commit.
 * Tells how far channels have come where this node told less itself; where it is at work, once it had time to tell. Of
 * public channels that others made, opened or changed it tells everyone what they are.
 */
export function createRevHeartbeat(services: Services, { publish, lastPublishedRev }: Publisher) {
  const { db, log, writer } = services
  const behind = new Map<string, Behind>()

  function publishRev({ id: channelId, rev, seq }: Behind) {
    if (lastPublishedRev(channelId) < rev) publish(channelRoom(channelId), 'channel:rev', { channelId, rev, seq })
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
        if (lastPublishedRev(id) < selfRev)
          publish(everyone, 'channel:updated', { ...(channels[i] as Channel), rev: selfRev })
      // What was said since, and where one became private meanwhile.
      for (const it of changed) publishRev(it)
    } catch (error) {
      log.warn({ err: error }, 'channels that others changed could not be told yet')
      for (const it of changed) behind.set(it.id, { ...it, ...behind.get(it.id), isForEveryone: true })
    }
  }

  return ({ channels, access }: Pick<Changes, 'channels' | 'access'>) => {
    const isOpen = ({ userId, isPublic, isDeleted }: Changes['access'][number]) =>
      userId === '' && isPublic && !isDeleted
    const open = new Set(access.filter(isOpen).map(({ channelId }) => channelId))
    for (const channel of channels) {
      const { polls = 0, isForEveryone = false } = behind.get(channel.id) ?? {}
      behind.set(channel.id, { ...channel, polls, isForEveryone: isForEveryone || open.has(channel.id) })
    }
    const forAll: Behind[] = []
    for (const it of behind.values()) {
      const isPublished = lastPublishedRev(it.id) >= it.rev
      if (!isPublished && writer.isBusy(it.id) && ++it.polls < MAX_POLLS) continue
      behind.delete(it.id)
      if (!isPublished && it.isForEveryone) forAll.push(it)
      else publishRev(it)
    }
    if (forAll.length > 0) void publishToAll(forAll)
  }
}
