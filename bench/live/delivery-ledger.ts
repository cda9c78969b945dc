import { now } from './clock.ts'
import { MESSAGE } from './socket-listener.ts'

/** One message, from the first socket that received it. */
export interface DeliveredMessage {
  key: string
  channelId: string
  /** The index of its channel, and its revision. */
  place: number
  rev: number
  /** The number of sockets that have it, and when the last of them received it. */
  count: number
  lastAt: number
}

/** An event for a socket: the next one, a known one, or one after a gap. */
export type Receipt = 'next' | 'again' | 'gap'

/**
 * Tracks which socket has which message. Sockets apply a channel's revisions in order and once, so "has revision n" means
 * "has everything up to n, once".
 * @param revs the current revision of each channel
 */
export function createDeliveryLedger(sockets: number, revs: Record<string, number>) {
  const channelIds = Object.keys(revs)
  const places = new Map(channelIds.map((id, place) => [id, place]))
  const known = new Int32Array(sockets * channelIds.length)
  for (let i = 0; i < known.length; i++) known[i] = revs[channelIds[i % channelIds.length] as string] as number
  let delivered = new Map<string, DeliveredMessage>()
  const index = (socket: number, place: number) => socket * channelIds.length + place

  function add(id: string, message: { channelId: string; rev: number; clientId: string | null }): DeliveredMessage {
    const place = places.get(message.channelId)
    if (place === undefined) throw new Error(`a message of another channel: ${message.channelId}`)
    const fresh = {
      key: message.clientId ?? '',
      channelId: message.channelId,
      place,
      rev: message.rev,
      count: 0,
      lastAt: 0,
    }
    delivered.set(id, fresh)
    return fresh
  }

  function receive(socket: number, message: DeliveredMessage): Receipt {
    const at = index(socket, message.place)
    const next = (known[at] as number) + 1
    if (message.rev > next) return 'gap'
    if (message.rev < next) return 'again'
    known[at] = message.rev
    message.count++
    message.lastAt = now()
    return 'next'
  }

  return {
    receive,
    /** The message of a packet. All sockets receive the same bytes, so only the first packet is parsed. */
    read(bytes: Buffer, from: number, to: number): DeliveredMessage {
      const at = from + MESSAGE.length
      const id = bytes.toString('latin1', at, at + 36)
      return delivered.get(id) ?? add(id, JSON.parse(bytes.toString('utf8', from + 2, to))[1])
    },
    /** The entry of a fetched message. */
    fetched: (message: { id: string; channelId: string; rev: number; clientId: string | null }) =>
      delivered.get(message.id) ?? add(message.id, message),
    rev: (socket: number, channelId: string) => known[index(socket, places.get(channelId) as number)] as number,
    messages: () => [...delivered.values()],
    forget: () => {
      delivered = new Map()
    },
  }
}
export type DeliveryLedger = ReturnType<typeof createDeliveryLedger>
