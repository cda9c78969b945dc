import { sql } from 'kysely'
import type { Channel } from '#contract/channels'
import type { DatabaseChanges } from '../changes/watch.ts'
import { presentChannels, selectChannels } from '../channels/channel-rows.ts'
import { channelRoom, everyone } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'

interface Behind {
  id: string
  rev: number
  seq: number
  polls: number
  /** Whether it is a public channel that was created, made public or changed: published to everyone. */
  isForEveryone: boolean
}

/** Polls after which a revision is published even though this node is still changing the channel. */
const MAX_POLLS = 5

/**
 * Events are lost if a process dies between commit and publish. This publishes the revision of each changed channel unless this
 * node has already, after giving its own changes time to be published. Public channels that other nodes created, made public
 * or changed are published to everyone.
 * @returns a function that applies the polled changes
 */
export function createRevHeartbeat(services: Services) {
  const { db, log, writer } = services
  const { publishHere, lastPublishedRev } = services.realtime
  const behind = new Map<string, Behind>()

  function publishRev({ id: channelId, rev, seq }: Behind) {
    if (lastPublishedRev(channelId) < rev) publishHere(channelRoom(channelId), 'channel:rev', { channelId, rev, seq })
  }

  async function publishToAll(changed: Behind[]) {
    const ids = changed.map(({ id }) => id)
    try {
      const query = selectChannels(db, '')
        .where('channels.id', '=', sql<string>`any(${ids}::uuid[])`)
        .where('kind', '=', 'public')
      const rows = await query.select('selfRev').execute()
      const channels = await presentChannels(services, rows)
      // Uses the revision of the channel's own change: a later one would hide messages.
      for (const [i, { id, selfRev }] of rows.entries())
        if (lastPublishedRev(id) < selfRev)
          publishHere(everyone, 'channel:updated', { ...(channels[i] as Channel), rev: selfRev })
      // For later messages, and for channels that have become private since.
      for (const channel of changed) publishRev(channel)
    } catch (error) {
      log.warn({ err: error }, 'could not publish changed channels; retrying')
      for (const channel of changed)
        behind.set(channel.id, { ...channel, ...behind.get(channel.id), isForEveryone: true })
    }
  }

  return ({ channels, access }: Pick<DatabaseChanges, 'channels' | 'access'>) => {
    const isOpen = ({ userId, isPublic, isDeleted }: DatabaseChanges['access'][number]) =>
      userId === '' && isPublic && !isDeleted
    const open = new Set(access.filter(isOpen).map(({ channelId }) => channelId))
    for (const channel of channels) {
      const { polls = 0, isForEveryone = false } = behind.get(channel.id) ?? {}
      behind.set(channel.id, { ...channel, polls, isForEveryone: isForEveryone || open.has(channel.id) })
    }
    const forEveryone: Behind[] = []
    for (const channel of behind.values()) {
      const isPublished = lastPublishedRev(channel.id) >= channel.rev
      if (!isPublished && writer.isBusy(channel.id) && ++channel.polls < MAX_POLLS) continue
      behind.delete(channel.id)
      if (!isPublished && channel.isForEveryone) forEveryone.push(channel)
      else publishRev(channel)
    }
    if (forEveryone.length > 0) void publishToAll(forEveryone)
  }
}
