import type { StartableBus } from '../bus/open-bus.ts'
import type { Watch } from '../changes/watch.ts'
import { repairOwnership } from '../channels/ownership.ts'
import type { BearerTokens } from '../identity/bearer-tokens.ts'
import { everyone, type Publisher, userRoom } from '../realtime.ts'
import type { Services } from '../services.ts'
import { createRevHeartbeat } from './rev-heartbeat.ts'
import { syncRoomsWithMemberships } from './room-membership.ts'

interface Options {
  services: Services
  watch: Watch
  tokens: BearerTokens
  publisher: Publisher
  bus: Pick<StartableBus, 'follow'>
}

/** Applies the changes polled from the database, whichever node made them. Returns a function that stops it. */
export function applyChanges({ services, watch, tokens, publisher, bus }: Options) {
  const { io, log, people, presence, removals, roomMembers, roomQueues } = services
  const { publishHere, lastPublishedPeopleVersion, forgetPublished } = publisher
  const publishRevs = createRevHeartbeat(services, publisher)
  const syncRooms = syncRoomsWithMemberships(services)
  const owners = repairOwnership(services)
  watch.start({
    onChanges(changes) {
      const { peopleVersion } = changes
      tokens.revoke(changes.ended)
      people.invalidateBefore(peopleVersion)
      // Sockets leave before anything is published that they may not receive.
      syncRooms(changes.access)
      removals.see(changes.snapshot)
      roomQueues.onPoll()
      publishRevs(changes)
      for (const person of changes.people)
        if (lastPublishedPeopleVersion(person.id) < peopleVersion)
          publishHere(everyone, 'user:updated', { ...person, peopleVersion })
      for (const { id, language } of changes.languages) publishHere(userRoom(id), 'user:language_changed', { language })
      for (const id of changes.emojis) presence.emojiChanged(id)
      owners.apply(changes)
    },
    onUnknown({ ended, snapshot, epoch }) {
      log.warn('the changes in the database are unknown: all sockets have to reconnect')
      tokens.revoke(ended)
      people.clear()
      forgetPublished()
      roomQueues.clear()
      removals.reset(snapshot)
      roomMembers.reset()
      bus.follow(epoch).catch((error) => log.error({ err: error }, 'the bus could not follow the database'))
      // Closed without a disconnect packet, so that clients reconnect by themselves.
      for (const { conn } of io.of('/').sockets.values()) conn.close()
      owners.apply()
    },
    onExpired: tokens.forgetOld,
  })
  return owners.stop
}
