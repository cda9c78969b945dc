import * as z from 'zod/mini'
import type { BusEvents, BusNotice } from '../bus/bus.ts'
import type { MembersChange } from '../realtime/member-sockets.ts'
import type { PublishedEvent } from '../realtime/publisher.ts'
import { userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { removeNonMembers, syncRoom } from './sync-rooms.ts'

type Notice = PublishedEvent | MembersChange | { kind: 'poll' }

/** What has to be known of a channel that another node created; the rest is passed on. */
const Created = z.looseObject({ id: z.string(), rev: z.number(), memberIds: z.array(z.string()) })

interface Options {
  services: Services
  /** Polls for changes on this node. */
  pollSoon: () => void
}

/**
 * Applies what other nodes send. Notices about a channel are applied in order: after a change of its members that has to
 * ask the database, later ones wait, so that nobody receives an event that its sender's sockets would not.
 */
export function receiveNotices({ services, pollSoon }: Options): BusEvents {
  const { log, people, presence } = services
  const { memberSockets, republish, roomQueues, rounds } = services.realtime

  function onNotice(notice: BusNotice, from: string) {
    if (notice.kind.startsWith('presence')) presence.receive(notice, from)
    else apply(notice as Notice)
  }

  function apply(notice: Notice) {
    switch (notice.kind) {
      case 'event':
        return onEvent(notice)
      case 'joined':
        return roomQueues.enqueue(notice.channelId, () => onJoined(notice))
      case 'left':
        // Never waits: those who were removed receive nothing more. A join under way notices it.
        return memberSockets.applyLeft(notice)
      case 'private':
        return removeNonMembers(services, notice.channelId)
      case 'closed':
        return memberSockets.closeHere(notice.channelId)
      case 'poll':
        return pollSoon()
    }
  }

  function onEvent(notice: PublishedEvent) {
    const { event, payload } = notice
    // Names that are read from now on are not older than the event.
    if (hasField(payload, 'peopleVersion') && typeof payload.peopleVersion === 'number')
      people.invalidateBefore(payload.peopleVersion)
    republish(event === 'channel:created' ? withoutRemoved(notice) : notice)
  }

  /** Whoever was removed from the new channel meanwhile has been told of that. */
  function withoutRemoved(notice: PublishedEvent): PublishedEvent {
    const { audience, payload } = notice
    const { success, data } = z.safeParse(Created, payload)
    if (!success) return notice
    const { id, rev } = data
    const removed = new Set(data.memberIds.filter((userId) => memberSockets.wasRemoved(id, userId, rev)))
    if (removed.size === 0) return notice
    const rooms = new Set(Array.from(removed, userRoom))
    return {
      ...notice,
      audience: typeof audience === 'string' ? audience : audience.filter((room) => !rooms.has(room)),
      payload: { ...data, memberIds: data.memberIds.filter((it) => !removed.has(it)) },
    }
  }

  function onJoined({ channelId, userIds, rev }: Extract<MembersChange, { kind: 'joined' }>) {
    return memberSockets.applyJoined(channelId, userIds, rev)?.then(
      async (uncertain) => {
        if (uncertain.length > 0) await syncRoom(services, channelId, uncertain)
      },
      (error) => {
        log.warn({ err: error }, 'new members could not be read: their sockets join with the next poll')
        pollSoon()
      },
    )
  }

  return {
    onNotice,
    onPeerJoined(peer) {
      log.info({ peer }, 'another node is there')
      presence.peerJoined()
    },
    onPeerLeft(peer, how) {
      log.info({ peer, how }, 'another node is gone')
      presence.peerLeft(peer)
    },
    onMissed() {
      rounds.start()
      presence.missed()
    },
  }
}

const hasField = <Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> =>
  typeof value === 'object' && value !== null && name in value
