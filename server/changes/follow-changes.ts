import type { FastifyInstance } from 'fastify'
import { keepOwners } from '../channels/ownership.ts'
import type { Sessions } from '../identity/bearer-tokens.ts'
import { everyone, type Publisher } from '../realtime.ts'
import { openPulse } from '../sockets/rev-heartbeat.ts'
import { followAccess } from '../sockets/room-membership.ts'
import type { Watch } from './watch.ts'

/** Who does what about changes that were noticed in the database, whoever made them. */
export function followChanges(app: FastifyInstance, watch: Watch, sessions: Sessions, publisher: Publisher) {
  const { io, log, people } = app
  const { publish, toldOf, forgetTold } = publisher
  const pulse = openPulse(app, publisher)
  const follow = followAccess(app)
  const hand = keepOwners(app)
  watch.start({
    onChanges(changes) {
      const { peopleVersion } = changes
      sessions.revoke(changes.ended)
      people.moveTo(peopleVersion)
      // Whoever may not hear it any more is out before it is told.
      follow(changes.access)
      pulse(changes)
      for (const person of changes.people)
        if (toldOf(person.id) < peopleVersion) publish(everyone, 'user:updated', { ...person, peopleVersion })
      hand(changes)
    },
    onUnknown(ended) {
      log.warn('it is not known what changed in the database: all sockets begin anew')
      sessions.revoke(ended)
      people.forget()
      forgetTold()
      // Not told to go, so that they come back by themselves.
      for (const { conn } of io.of('/').sockets.values()) conn.close()
      hand()
    },
    onOld: sessions.forgetOld,
  })
}
