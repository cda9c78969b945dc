import type { Bus, BusNotice } from '../bus/bus.ts'
import { combine, type PresenceState } from './socket-presence.ts'

/**
 * Each node reports only its own people. Versions are consecutive; the full list carries the latest. `idle` are people who became
 * idle, or came so; `active` those who returned. Nodes of earlier versions omit and ignore both.
 */
type PresenceNotice =
  | { kind: 'presence'; version: number; came: string[]; left: string[]; idle?: string[]; active?: string[] }
  | { kind: 'presence:all'; version: number; online: string[]; idle?: string[] }
  | { kind: 'presence:wanted' }

/** The people of a node who are not offline. */
type States = Map<string, PresenceState>

interface Options {
  bus: Pick<Bus, 'send' | 'peers'>
  /** A user's state on this node. */
  stateHere: (userId: string) => PresenceState
  /** A user's state on other nodes may have changed. */
  onChange: (userId: string) => void
}

const SHARE_INTERVAL_MS = 100
/** After a node is gone, its people stay online for this long to reconnect to another one. */
const MOVE_GRACE_MS = 10_000

/** Tracks who is online or idle on the other nodes, and reports to them who is on this one. */
export function sharePresence({ bus, stateHere, onChange }: Options) {
  const nodes = new Map<string, { version: number; states: States }>()
  /** People of nodes that are gone, until their grace period ends. */
  const moving = new Map<string, { state: PresenceState; timer: NodeJS.Timeout }>()
  /** States last reported to the other nodes. */
  const shared: States = new Map()
  const changed = new Set<string>()
  let version = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function stateOf(userId: string) {
    let state = moving.get(userId)?.state ?? 'offline'
    for (const { states } of nodes.values()) state = combine(state, states.get(userId) ?? 'offline')
    return state
  }

  const send = (notice: PresenceNotice) => {
    if (bus.peers().length > 0) bus.send(notice)
  }

  /** Call when somebody's state on this node has changed. */
  function changedHere(userId: string) {
    changed.add(userId)
    if (!isStopped) timer ??= setTimeout(shareChanges, SHARE_INTERVAL_MS)
  }

  function shareChanges() {
    timer = undefined
    const [came, left, idle, active]: [string[], string[], string[], string[]] = [[], [], [], []]
    for (const userId of changed) {
      const state = stateHere(userId)
      const before = shared.get(userId) ?? 'offline'
      if (state === before) continue
      if (state === 'offline') shared.delete(userId)
      else shared.set(userId, state)
      if (state === 'offline') left.push(userId)
      else if (before === 'offline') came.push(userId)
      if (state === 'idle') idle.push(userId)
      else if (before === 'idle' && state === 'online') active.push(userId)
    }
    changed.clear()
    if (came.length + left.length + idle.length + active.length > 0)
      send({ kind: 'presence', version: ++version, came, left, ...present({ idle, active }) })
  }

  function shareAll() {
    const online = [...shared.keys()]
    const idle = online.filter((userId) => shared.get(userId) === 'idle')
    send({ kind: 'presence:all', version, online, ...present({ idle }) })
  }
  const askAll = () => send({ kind: 'presence:wanted' })

  function replace(node: string, next: { version: number; states: States }) {
    const before: States = nodes.get(node)?.states ?? new Map()
    nodes.set(node, next)
    for (const [userId, state] of next.states) settle(userId, state)
    for (const userId of new Set([...before.keys(), ...next.states.keys()]))
      if (before.get(userId) !== next.states.get(userId)) onChange(userId)
  }

  /** They are on a node again. An idle page doesn't replace an active one, which is still to follow. */
  function settle(userId: string, state: PresenceState) {
    if (combine(state, moving.get(userId)?.state ?? 'offline') !== state) return
    clearTimeout(moving.get(userId)?.timer)
    moving.delete(userId)
  }

  function receive(notice: PresenceNotice, from: string) {
    if (notice.kind === 'presence:wanted') return shareAll()
    if (notice.kind === 'presence:all')
      return replace(from, { version: notice.version, states: statesOf(notice.online, notice.idle) })
    if (notice.kind !== 'presence') return undefined
    const node = nodes.get(from)
    if (node?.version !== notice.version - 1) return askAll()
    node.version = notice.version
    const { came, left, idle = [], active = [] } = notice
    for (const [userId, state] of statesOf([...came, ...active], idle)) {
      node.states.set(userId, state)
      settle(userId, state)
    }
    for (const userId of left) node.states.delete(userId)
    for (const userId of new Set([...came, ...left, ...idle, ...active])) onChange(userId)
    return undefined
  }

  function peerLeft(peer: string) {
    const states: States = nodes.get(peer)?.states ?? new Map()
    nodes.delete(peer)
    for (const [userId, last] of states) {
      const state = combine(last, moving.get(userId)?.state ?? 'offline')
      clearTimeout(moving.get(userId)?.timer)
      const onMoveOver = () => {
        moving.delete(userId)
        onChange(userId)
      }
      moving.set(userId, { state, timer: setTimeout(onMoveOver, MOVE_GRACE_MS) })
    }
  }

  return {
    stateOf,
    online: () => [...moving.keys(), ...[...nodes.values()].flatMap(({ states }) => [...states.keys()])],
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
      for (const moved of moving.values()) clearTimeout(moved.timer)
    },
  }
}

const statesOf = (online: readonly string[], idle: readonly string[] = []): States =>
  new Map([...online.map((id) => [id, 'online'] as const), ...idle.map((id) => [id, 'idle'] as const)])

/** The lists that are not empty. */
const present = (lists: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0))
