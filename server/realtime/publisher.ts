import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { type ServerEvent, type ServerEvents, serverEvents } from '#contract/events'
import type { Bus } from '../bus/bus.ts'
import { type CompiledSchema, compileSchema } from '../http/compiled-schema.ts'
import { upTo } from '../process/up-to.ts'
import { channelRoom, everyone, roomChannel, type SocketServer } from './rooms.ts'

/**
 * Call after the write is committed. The payload is reduced to the contract's shape, so extra columns never leak.
 * @param except a room whose sockets do not receive it
 */
export type Publish = <E extends ServerEvent>(
  audience: string | string[],
  event: E,
  payload: z.input<(typeof serverEvents)[E]>,
  except?: string,
) => void

/** What a node sends to the others for each published event. */
export interface PublishedEvent {
  kind: 'event'
  audience: string | string[]
  event: string
  payload: unknown
  except?: string | undefined
  /** The channel's last removal before the event, if it is for a channel's sockets; see `removals.ts`. */
  removal?: number | undefined
}

export interface RoomDelivery {
  /** The removal that the channel's sockets must have followed. */
  removal?: number
  /** Dropped rather than queued. */
  isTransient?: boolean
  /** Memory used while queued. */
  bytes?: () => number
}

/** Runs tasks on a channel's sockets in order; `room-queues.ts` implements it. */
interface RoomQueues {
  enqueue(channelId: string, run: () => void, delivery: RoomDelivery): void
}

/** Holds events back while this node's view of memberships may be stale; `held-events.ts` implements it. */
interface HeldEvents {
  pass(send: () => void, size: () => number, isTransient: boolean): void
  clear(): void
}

export interface Publisher {
  /** To the sockets of all nodes. */
  publish: Publish
  /** To the sockets of this node: for single sockets, and for events that every node publishes on its own. */
  publishHere: Publish
  /** Publishes another node's event here. Ignores events that this version can't parse. */
  republish: (event: PublishedEvent) => void
  /** The last revision of a channel published on this node; 0 if unknown, `Infinity` once the channel is deleted. */
  lastPublishedRev: (channelId: string) => number
  /** The last people version under which a user was published on this node; 0 if unknown. */
  lastPublishedPeopleVersion: (userId: string) => number
  /** Call when the database was replaced: its revisions and versions are not comparable. */
  forgetPublished: () => void
}

type Cuts = { [E in ServerEvent]: CompiledSchema<(typeof serverEvents)[E]> }
type Cut = z.output<Cuts[ServerEvent]>
const cuts = Object.fromEntries(
  Object.entries(serverEvents).map(([event, schema]) => [event, compileSchema<z.core.$ZodType>(schema)]),
) as Cuts

const MAX_REMEMBERED = 100_000
/** Short-lived events, which may be dropped. */
const TRANSIENT: ReadonlySet<ServerEvent> = new Set(['typing', 'assistant:progress'])

export interface PublisherOptions {
  io: SocketServer
  bus: Pick<Bus, 'send'>
  roomQueues: RoomQueues
  held: HeldEvents
  removals: {
    latest(channelId: string): number
    note(channelId: string, rev: number, removal: number): void
  }
  /** Called with every event that is published here. */
  onPublish: (event: ServerEvent, payload: object) => void
}

/** The channel that an event for everyone is about. */
function aboutChannel(event: ServerEvent, cut: Cut): string | undefined {
  if ('channelId' in cut) return cut.channelId
  return event.startsWith('channel:') && 'id' in cut ? cut.id : undefined
}

export function createPublisher({ io, bus, roomQueues, held, removals, onPublish }: PublisherOptions): Publisher {
  const revs = new LRUCache<string, number>(upTo(MAX_REMEMBERED))
  const versions = new LRUCache<string, number>(upTo(MAX_REMEMBERED))
  const lastPublishedRev = (channelId: string) => revs.get(channelId) ?? 0
  const lastPublishedPeopleVersion = (userId: string) => versions.get(userId) ?? 0

  /** The poll for changes may have published it first, or a later deletion. */
  function isRepeated(event: ServerEvent, cut: Cut, except?: string) {
    if (event === 'user:updated' && 'peopleVersion' in cut && 'id' in cut)
      return lastPublishedPeopleVersion(cut.id) >= cut.peopleVersion
    if (event === 'channel:created' && 'id' in cut) return lastPublishedRev(cut.id) === Infinity
    // With `except`, it is only gone for some.
    const isGone = event === 'channel:deleted' && 'channelId' in cut && except === undefined
    return isGone && lastPublishedRev(cut.channelId) === Infinity
  }

  function emit(audience: string | string[], event: ServerEvent, cut: Cut, except?: string) {
    // Socket.IO takes an empty audience for everyone.
    if (audience.length === 0 || isRepeated(event, cut, except)) return
    const about = audience === everyone ? aboutChannel(event, cut) : undefined
    const rooms = about === undefined ? audience : [everyone, channelRoom(about)]
    const target = except === undefined ? io.to(rooms) : io.to(rooms).except(except)
    target.emit(event, ...([cut] as Parameters<ServerEvents[typeof event]>))
    onPublish(event, cut)
    if ('peopleVersion' in cut && 'id' in cut)
      versions.set(cut.id, Math.max(cut.peopleVersion, lastPublishedPeopleVersion(cut.id)))
    if (event === 'channel:deleted' && 'channelId' in cut && except === undefined) revs.set(cut.channelId, Infinity)
    if (!('rev' in cut)) return
    const channelId = 'channelId' in cut ? cut.channelId : cut.id
    // Events for single sockets don't count: the others haven't received them. A new channel is published to each member.
    const toAll = event === 'channel:created' || audience === everyone || audience === channelRoom(channelId)
    if (toAll) revs.set(channelId, Math.max(cut.rev, lastPublishedRev(channelId)))
  }

  /** To this node's sockets. Events of a channel go through its queue and wait for the removal. */
  function deliver(audience: string | string[], event: ServerEvent, cut: Cut, except?: string, removal?: number) {
    const isTransient = TRANSIENT.has(event)
    const bytes = () => Buffer.byteLength(JSON.stringify(cut))
    const send = () => held.pass(() => emit(audience, event, cut, except), bytes, isTransient)
    const room = roomChannel(audience)
    const channelId = room ?? (audience === everyone ? aboutChannel(event, cut) : undefined)
    if (channelId === undefined) return send()
    roomQueues.enqueue(channelId, send, {
      ...(room !== undefined && removal !== undefined && { removal }),
      isTransient,
      bytes,
    })
  }

  const removalBefore = (audience: string | string[]) => removals.latest(roomChannel(audience) ?? '')

  const publishHere: Publish = (audience, event, payload, except) => {
    deliver(audience, event, z.parse<Cuts[ServerEvent]>(cuts[event], payload), except, removalBefore(audience))
  }

  const publish: Publish = (audience, event, payload, except) => {
    const cut = z.parse<Cuts[ServerEvent]>(cuts[event], payload)
    if (isRepeated(event, cut, except)) return
    const removal = removalBefore(audience)
    deliver(audience, event, cut, except, removal)
    const notice: PublishedEvent = { kind: 'event', audience, event, payload: cut, except, removal }
    bus.send(notice, { isTransient: TRANSIENT.has(event) })
  }

  function republish({ audience, event, payload, except, removal }: PublishedEvent) {
    if (!Object.hasOwn(cuts, event)) return
    const { success, data } = z.safeParse<Cuts[ServerEvent]>(cuts[event as ServerEvent], payload)
    if (!success) return
    const room = roomChannel(audience)
    if (room !== undefined && removal !== undefined && 'rev' in data) removals.note(room, data.rev, removal)
    deliver(audience, event as ServerEvent, data, except, removal)
  }

  const forgetPublished = () => {
    revs.clear()
    versions.clear()
    held.clear()
  }

  return { publish, publishHere, republish, lastPublishedRev, lastPublishedPeopleVersion, forgetPublished }
}
