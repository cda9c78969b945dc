import type { Bus, BusNotice } from '../bus/bus.ts'

/** Each node reports only its own people. Versions are consecutive; the full list carries the latest. */
type PresenceNotice =
  | { kind: 'presence'; version: number; came: string[]; left: string[] }
  | { kind: 'presence:all'; version: number; online: string[] }
  | { kind: 'presence:wanted' }

interface Options {
  bus: Pick<Bus, 'send' | 'peers'>
  /** Who is online on this node. */
  isOnlineHere: (userId: string) => boolean
  /** Whether a user is online anywhere may have changed. */
  onChange: (userId: string) => void
}

const SHARE_INTERVAL_MS = 100
/** After a node is gone, its people stay online for this long to reconnect to another one. */
const MOVE_GRACE_MS = 10_000

/** Tracks who is online on the other nodes, and reports to them who is online on this one. */
export function sharePresence({ bus, isOnlineHere, onChange }: Options) {
  const nodes = new Map<string, { version: number; online: Set<string> }>()
  /** People of nodes that are gone, until their grace period ends. */
  const moving = new Map<string, NodeJS.Timeout>()
  /** People last reported to the other nodes as online here. */
  const shared = new Set<string>()
  const changed = new Set<string>()
  let version = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const isOnline = (userId: string) =>
    moving.has(userId) || [...nodes.values()].some(({ online }) => online.has(userId))

  const send = (notice: PresenceNotice) => {
    if (bus.peers().length > 0) bus.send(notice)
  }

  /** Call when somebody connected to this node or left it. */
  function changedHere(userId: string) {
    changed.add(userId)
    if (!isStopped) timer ??= setTimeout(shareChanges, SHARE_INTERVAL_MS)
  }

  function shareChanges() {
    timer = undefined
    const came: string[] = []
    const left: string[] = []
    for (const userId of changed) {
      const isHere = isOnlineHere(userId)
      if (isHere === shared.has(userId)) continue
      if (isHere) shared.add(userId)
      else shared.delete(userId)
      ;(isHere ? came : left).push(userId)
    }
    changed.clear()
    if (came.length + left.length > 0) send({ kind: 'presence', version: ++version, came, left })
  }

  const shareAll = () => send({ kind: 'presence:all', version, online: [...shared] })
  const askAll = () => send({ kind: 'presence:wanted' })

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

  function receive(notice: PresenceNotice, from: string) {
    if (notice.kind === 'presence:wanted') return shareAll()
    if (notice.kind === 'presence:all')
      return replace(from, { version: notice.version, online: new Set(notice.online) })
    if (notice.kind !== 'presence') return undefined
    const node = nodes.get(from)
    if (node?.version !== notice.version - 1) return askAll()
    node.version = notice.version
    for (const userId of notice.came) {
      settle(userId)
      node.online.add(userId)
    }
    for (const userId of notice.left) node.online.delete(userId)
    for (const userId of [...notice.came, ...notice.left]) onChange(userId)
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
    receive: (notice: BusNotice, from: string) => receive(notice as PresenceNotice, from),
    /** The peer knows nothing of this node's people, and its own may have changed. */
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
