import * as z from 'zod/mini'
import type { RoomChange } from '../access/room-members.ts'
import type { BusEvents, BusMessage } from '../bus/bus.ts'
import { type PublishedEvent, type Publisher, userRoom } from '../realtime.ts'
import type { Services } from '../services.ts'
import type { createReadyRounds } from './ready-rounds.ts'
import { removeNonMembers, syncRoom } from './room-membership.ts'

type Message = PublishedEvent | RoomChange | [kind: 'poll']

/** What has to be known of a channel that another node created; the rest is passed on. */
const Created = z.looseObject({ id: z.string(), rev: z.number(), memberIds: z.array(z.string()) })

interface Options {
  services: Services
  republish: Publisher['republish']
  rounds: ReturnType<typeof createReadyRounds>
  /** Polls for changes on this node. */
  pollSoon: () => void
}

/**
 * Applies what other nodes send. Messages about a channel are applied in order: after a change of its members that has to
 * ask the database, later ones wait, so that nobody receives an event that its sender's sockets would not.
 */
export function receiveMessages({ services, republish, rounds, pollSoon }: Options): BusEvents {
  const { log, people, presence, roomMembers, roomQueues } = services

  function onMessage(message: BusMessage, from: string) {
    if (message[0].startsWith('presence')) presence.receive(message, from)
    else apply(message as Message)
  }

  function apply(message: Message) {
    switch (message[0]) {
      case 'event':
        return onEvent(message)
      case 'joined':
        return roomQueues.enqueue(message[1], () => onJoined(message))
      case 'left':
        // Never waits: those who were removed receive nothing more. A join under way notices it.
        return roomMembers.applyLeft(message[1], message[2], message[3], message[4])
      case 'private':
        return removeNonMembers(services, message[1])
      case 'closed':
        return roomMembers.closeHere(message[1])
      case 'poll':
        return pollSoon()
    }
  }

  function onEvent(message: PublishedEvent) {
    const [, , , payload] = message
    // Names that are read from now on are not older than the event.
    if (hasField(payload, 'peopleVersion') && typeof payload.peopleVersion === 'number')
      people.invalidateBefore(payload.peopleVersion)
    republish(message[2] === 'channel:created' ? withoutRemoved(message) : message)
  }

  /** Whoever was removed from the new channel meanwhile has been told of that. */
  function withoutRemoved(message: PublishedEvent): PublishedEvent {
    const [kind, audience, event, payload, ...rest] = message
    const { success, data } = z.safeParse(Created, payload)
    if (!success) return message
    const { id, rev } = data
    const removed = new Set(data.memberIds.filter((userId) => roomMembers.wasRemoved(id, userId, rev)))
    if (removed.size === 0) return message
    const rooms = new Set(Array.from(removed, userRoom))
    const others = typeof audience === 'string' ? audience : audience.filter((room) => !rooms.has(room))
    return [kind, others, event, { ...data, memberIds: data.memberIds.filter((it) => !removed.has(it)) }, ...rest]
  }

  function onJoined([, channelId, userIds, rev]: Extract<RoomChange, ['joined', ...unknown[]]>) {
    return roomMembers.applyJoined(channelId, userIds, rev)?.then(
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
    onMessage,
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
