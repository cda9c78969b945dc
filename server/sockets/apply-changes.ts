import type { Watch } from '../changes/watch.ts'
import { repairOwnership } from '../channels/ownership.ts'
import type { Sessions } from '../identity/bearer-tokens.ts'
import { everyone, type Publisher } from '../realtime.ts'
import type { Services } from '../services.ts'
import { createRevHeartbeat } from './rev-heartbeat.ts'
import { syncRoomsWithMemberships } from './room-membership.ts'

/** Applies the changes found in the database, whoever made them. Returns how to stop. */
export function applyChanges(services: Services, watch: Watch, sessions: Sessions, publisher: Publisher) {
  const { io, log, people } = services
  const { publish, lastPublishedPeopleVersion, forgetPublished } = publisher
  const pulse = createRevHeartbeat(services, publisher)
  const follow = syncRoomsWithMemberships(services)
  const owners = repairOwnership(services)
  watch.start({
    onChanges(changes) {
      const { peopleVersion } = changes
      sessions.revoke(changes.ended)
      people.invalidateBefore(peopleVersion)
      // Whoever may not hear it any more is out before it is told.
      follow(changes.access)
      pulse(changes)
      for (const person of changes.people)
        if (lastPublishedPeopleVersion(person.id) < peopleVersion)
          publish(everyone, 'user:updated', { ...person, peopleVersion })
      owners.apply(changes)
    },
    onUnknown(ended) {
      log.warn('it is not known what changed in the database: all sockets begin anew')
      sessions.revoke(ended)
      people.clear()
      forgetPublished()
      // Not told to go, so that they come back by themselves.
      for (const { conn } of io.of('/').sockets.values()) conn.close()
      owners.apply()
    },
    onExpired: sessions.forgetOld,
  })
  return owners.stop
}
