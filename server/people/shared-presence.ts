import type { Bus, BusMessage } from '../bus/bus.ts'

/** Each node is the only one that says who is online there. Versions are consecutive; the whole list carries the last. */
type PresenceMessage =
  | [kind: 'presence', version: number, changes: [userId: string, isOnline: boolean][]]
  | [kind: 'presence:all', version: number, userIds: string[]]
  | [kind: 'presence:wanted']

interface Options {
  bus: Pick<Bus, 'send' | 'peers'>
  /** Who is online on this node. */
  isOnlineHere: (userId: string) => boolean
  /** Whether a user is online anywhere may have changed. */
  onChange: (userId: string) => void
}

const SHARE_INTERVAL_MS = 100
/** The people of a node that is gone are online for this long, because they come back on another one. */
const MOVE_GRACE_MS = 10_000

/** Who is online on the other nodes, as each of them says; and says who is online on this one. */
export function sharePresence({ bus, isOnlineHere, onChange }: Options) {
  const nodes = new Map<string, { version: number; online: Set<string> }>()
  /** People of nodes that are gone. */
  const moving = new Map<string, NodeJS.Timeout>()
  /** Whom the other nodes hold for online here. */
  const shared = new Set<string>()
  const changed = new Set<string>()
  let version = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const isOnline = (userId: string) =>
    moving.has(userId) || [...nodes.values()].some(({ online }) => online.has(userId))

  const send = (message: PresenceMessage) => {
    if (bus.peers().length > 0) bus.send(message)
  }

  /** Somebody came to this node or left it. */
  function changedHere(userId: string) {
    changed.add(userId)
    if (!isStopped) timer ??= setTimeout(shareChanges, SHARE_INTERVAL_MS)
  }

  function shareChanges() {
    timer = undefined
    const changes: [string, boolean][] = []
    for (const userId of changed) {
      const isHere = isOnlineHere(userId)
      if (isHere === shared.has(userId)) continue
      changes.push([userId, isHere])
      if (isHere) shared.add(userId)
      else shared.delete(userId)
    }
    changed.clear()
    if (changes.length > 0) send(['presence', ++version, changes])
  }

  const shareAll = () => send(['presence:all', version, [...shared]])
  const askAll = () => send(['presence:wanted'])

  function replace(node: string, next: { version: number; online: Set<string> }) {
    const before = nodes.get(node)?.online ?? new Set<string>()
    nodes.set(node, next)
    for (const userId of next.online) settle(userId)
    for (const userId of [...before, ...next.online])
      if (before.has(userId) !== next.online.has(userId)) onChange(userId)
  }

  function settle(userId: string) {
    clearTimeout(moving.get(userId))
    moving.delete(userId)
  }

  function receive(message: PresenceMessage, from: string) {
    if (message[0] === 'presence:wanted') return shareAll()
    if (message[0] === 'presence:all') return replace(from, { version: message[1], online: new Set(message[2]) })
    if (message[0] !== 'presence') return undefined
    const [, theirs, changes] = message
    const node = nodes.get(from)
    if (node?.version !== theirs - 1) return askAll()
    node.version = theirs
    for (const [userId, isThere] of changes) {
      if (isThere) settle(userId)
      if (isThere) node.online.add(userId)
      else node.online.delete(userId)
      onChange(userId)
    }
    return undefined
  }

  function peerLeft(peer: string) {
    const online = nodes.get(peer)?.online ?? []
    nodes.delete(peer)
    for (const userId of online) {
      settle(userId)
      const onMoveOver = () => {
        moving.delete(userId)
        onChange(userId)
      }
      moving.set(userId, setTimeout(onMoveOver, MOVE_GRACE_MS))
    }
  }

  return {
    isOnline,
    online: () => [...moving.keys(), ...[...nodes.values()].flatMap(({ online }) => [...online])],
    changedHere,
    receive: (message: BusMessage, from: string) => receive(message as unknown as PresenceMessage, from),
    /** It knows nobody, and may have been away. */
    peerJoined() {
      shareAll()
      askAll()
    },
    peerLeft,
    missed: askAll,
    stop() {
      isStopped = true
      clearTimeout(timer)
      for (const moved of moving.values()) clearTimeout(moved)
    },
  }
}
