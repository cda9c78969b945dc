import type { RoomChange } from '../access/room-members.ts'
import type { BusEvents, BusMessage } from '../bus/bus.ts'
import type { PublishedEvent, Publisher } from '../realtime.ts'
import type { Services } from '../services.ts'
import type { createReadyRounds } from './ready-rounds.ts'
import { reconnectRoom, removeNonMembers, syncRoom } from './room-membership.ts'

type Message = PublishedEvent | RoomChange | [kind: 'poll']

interface Options {
  services: Services
  republish: Publisher['republish']
  rounds: ReturnType<typeof createReadyRounds>
  /** Polls for changes on this node. */
  pollSoon: () => void
}

/** What a waiting message takes besides its JSON. */
const OVERHEAD_BYTES = 1024

/**
 * Applies what other nodes send. Messages about a channel are applied in order: after a change of its members that has to
 * ask the database, later ones wait, so that nobody receives an event that its sender's sockets would not.
 */
export function receiveMessages({ services, republish, rounds, pollSoon }: Options): BusEvents {
  const { bounds, log, people, presence, roomMembers } = services
  /** The last task of each channel that waits for the database. */
  const settling = new Map<string, Promise<void>>()
  let waitingBytes = 0

  function onMessage(message: BusMessage, from: string) {
    if (message[0].startsWith('presence')) return presence.receive(message, from)
    // Never waits: those who were removed receive nothing more. A join under way notices it.
    if (message[0] === 'left') return void apply(message as Message)
    const channelId = channelOf(message as Message)
    const before = channelId === undefined ? undefined : settling.get(channelId)
    if (channelId === undefined || !before) {
      const task = apply(message as Message)
      if (task && channelId !== undefined) settle(channelId, task)
    } else {
      const bytes = Buffer.byteLength(JSON.stringify(message)) + OVERHEAD_BYTES
      // Clients look for themselves what is dropped here.
      if (waitingBytes + bytes > bounds.waitingBusBytes) return rounds.start()
      waitingBytes += bytes
      const next = () => {
        waitingBytes -= bytes
        return apply(message as Message)
      }
      settle(channelId, before.then(next))
    }
    return undefined
  }

  function settle(channelId: string, task: Promise<void>) {
    const settled = task
      .catch((error) => log.error({ err: error }, 'a message of another node could not be applied'))
      .then(() => {
        if (settling.get(channelId) === settled) settling.delete(channelId)
      })
    settling.set(channelId, settled)
  }

  /** Without a promise where nothing has to be waited for. */
  function apply(message: Message): Promise<void> | undefined {
    switch (message[0]) {
      case 'event':
        onEvent(message)
        return undefined
      case 'joined':
        return onJoined(message)
      case 'left':
        roomMembers.applyLeft(message[1], message[2], message[3])
        return undefined
      case 'private':
        return onPrivate(message[1])
      case 'closed':
        roomMembers.closeHere(message[1])
        return undefined
      case 'poll':
        pollSoon()
        return undefined
    }
    return undefined
  }

  function onEvent(message: PublishedEvent) {
    const [, , , payload] = message
    // Names that are read from now on are not older than the event.
    if (hasField(payload, 'peopleVersion') && typeof payload.peopleVersion === 'number')
      people.invalidateBefore(payload.peopleVersion)
    republish(message)
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

  async function onPrivate(channelId: string) {
    services.departures.note(channelId)
    await removeNonMembers(services, channelId).catch((error) => {
      log.warn({ err: error }, 'the members of a channel could not be read: its sockets have to reconnect')
      reconnectRoom(services, channelId)
    })
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

function channelOf(message: Message): string | undefined {
  if (message[0] === 'poll') return undefined
  if (message[0] !== 'event') return message[1]
  const [, , event, payload] = message
  if (hasField(payload, 'channelId')) return String(payload.channelId)
  return event.startsWith('channel:') && hasField(payload, 'id') ? String(payload.id) : undefined
}

const hasField = <Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> =>
  typeof value === 'object' && value !== null && name in value
