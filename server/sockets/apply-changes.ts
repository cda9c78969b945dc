import type { StartableBus } from '../bus/open-bus.ts'
import type { Watch } from '../changes/watch.ts'
import { repairOwnership } from '../channels/ownership.ts'
import type { BearerTokens } from '../identity/bearer-tokens.ts'
import { readInvisible } from '../people/availability.ts'
import { readKeywords } from '../people/keywords.ts'
import { audienceOfPerson, everyone, guests, userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { createRevHeartbeat } from './rev-heartbeat.ts'
import { syncRoomsWithMemberships } from './sync-rooms.ts'

interface Options {
  services: Services
  watch: Watch
  tokens: BearerTokens
  bus: Pick<StartableBus, 'follow'>
  /** Called when messages may have been added or changed. */
  onTextsChanged: () => void
}

/** Applies the changes polled from the database, whichever node made them. Returns a function that stops this. */
export function applyChanges({ services, watch, tokens, bus, onTextsChanged }: Options) {
  const { db, keywords, log, people, presence } = services
  const { io, removals, memberSockets, roomQueues, publishHere, lastPublishedPeopleVersion, forgetPublished } =
    services.realtime
  const publishRevs = createRevHeartbeat(services)
  const syncRooms = syncRoomsWithMemberships(services)
  const owners = repairOwnership(services)
  let { permissionsVersion, groupsVersion, emojiVersion, nameVersion } = watch

  /** A guest became a member. */
  function admitToEveryone(userId: string) {
    const here = io.in(userRoom(userId))
    // Sockets that are still joining their channels read the role themselves.
    here.socketsJoin(everyone)
    here.socketsLeave(guests)
  }

  watch.start({
    onChanges(changes) {
      const { peopleVersion } = changes
      tokens.revoke(changes.ended)
      people.invalidateBefore(peopleVersion)
      // Sockets of removed members leave before anything else is published.
      syncRooms(changes.access)
      removals.see(changes.snapshot)
      roomQueues.onPoll()
      publishRevs(changes)
      if (changes.channels.length > 0) onTextsChanged()
      for (const { role, guestChannels, ...person } of changes.people) {
        if (role !== 'guest') admitToEveryone(person.id)
        if (lastPublishedPeopleVersion(person.id) < peopleVersion)
          publishHere(audienceOfPerson(person.id, guestChannels), 'user:updated', { ...person, peopleVersion })
      }
      if (permissionsVersion !== changes.permissionsVersion) publishHere([everyone, guests], 'permissions:changed', {})
      permissionsVersion = changes.permissionsVersion
      if (groupsVersion !== changes.groupsVersion) publishHere(everyone, 'groups:changed', {})
      groupsVersion = changes.groupsVersion
      if (emojiVersion !== changes.emojiVersion) publishHere([everyone, guests], 'emoji:changed', {})
      emojiVersion = changes.emojiVersion
      if (nameVersion !== changes.nameVersion)
        publishHere([everyone, guests], 'workspace:renamed', { name: changes.workspaceName })
      nameVersion = changes.nameVersion
      for (const { id, language } of changes.languages) publishHere(userRoom(id), 'user:language_changed', { language })
      for (const { id, ...its } of changes.availabilities) {
        presence.setInvisible(id, its.availability === 'invisible')
        publishHere(userRoom(id), 'user:availability_changed', its)
      }
      for (const own of changes.keywords) keywords.set(own)
      for (const id of changes.emojis) presence.emojiChanged(id)
      owners.apply(changes)
    },
    onUnknown({ ended, snapshot, epoch }) {
      log.warn('changes in the database may have been missed: closing all sockets')
      tokens.revoke(ended)
      tokens.forgetVerified()
      people.clear()
      forgetPublished()
      roomQueues.clear()
      removals.reset(snapshot)
      memberSockets.reset()
      readInvisible(db).then(presence.replaceInvisible, (error) =>
        log.error({ err: error }, 'could not read which people are invisible'),
      )
      keywords
        .reload(() => readKeywords(db))
        .catch((error) => log.error({ err: error }, 'could not read the keywords of people'))
      bus.follow(epoch).catch((error) => log.error({ err: error }, 'could not switch the bus to the new database'))
      // Closed without a disconnect packet, so that clients reconnect automatically.
      for (const { conn } of io.of('/').sockets.values()) conn.close()
      owners.apply()
    },
    onExpired: tokens.forgetOld,
  })
  return owners.stop
}
