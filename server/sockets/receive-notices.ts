import * as z from 'zod/mini'
import type { BusEvents, BusNotice } from '../bus/bus.ts'
import type { MembersChange } from '../realtime/member-sockets.ts'
import type { PublishedEvent } from '../realtime/publisher.ts'
import { userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { removeNonMembers, syncRoom } from './sync-rooms.ts'

type Notice = PublishedEvent | MembersChange | { kind: 'poll' }

/** The fields used here of a channel that another node created; the rest is passed through. */
const Created = z.looseObject({ id: z.string(), rev: z.number(), memberIds: z.array(z.string()) })

interface Options {
  services: Services
  /** Polls for changes on this node. */
  pollSoon: () => void
}

/**
 * Applies notices from other nodes. Those about a channel are applied in order: while a membership change queries the
 * database, later notices wait, so that nobody receives an event that they wouldn't on the sending node.
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
        // Never waits, so that a removed member receives nothing more. A join in progress notices it.
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
    // From now on, cached names are at least as recent as the event.
    if (hasField(payload, 'peopleVersion') && typeof payload.peopleVersion === 'number')
      people.invalidateBefore(payload.peopleVersion)
    republish(event === 'channel:created' ? withoutRemoved(notice) : notice)
  }

  /** Omits people who have been removed from the new channel since; they have received that event already. */
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
        log.warn({ err: error }, 'could not read the new members of a channel: their sockets join with the next poll')
        pollSoon()
      },
    )
  }

  return {
    onNotice,
    onPeerJoined(peer) {
      log.info({ peer }, 'another node joined')
      presence.peerJoined()
    },
    onPeerLeft(peer, how) {
      log.info({ peer, how }, 'another node left')
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
