/** Online people without recent input on any of their pages are idle. */
export type PresenceState = 'offline' | 'idle' | 'online'

/** The state of a person who is in two places. */
export const combine = (one: PresenceState, other: PresenceState): PresenceState =>
  one === 'offline' || other === 'online' ? other : one

/** Nobody goes offline, or from online to idle, by reloading the page or losing the connection for less than this. */
const GRACE_MS = 5000

/** Tracks the sockets of this node by user. Calls `onChange` when a user's state changes. */
export function trackSockets(onChange: (userId: string) => void) {
  const sockets = new Map<string, Map<string, PresenceState>>()
  /** States from before a socket was removed, which count until the timer ends. */
  const graces = new Map<string, { state: PresenceState; timer: NodeJS.Timeout }>()

  const graceOf = (userId: string) => graces.get(userId)?.state ?? 'offline'

  function stateOf(userId: string) {
    let state = graceOf(userId)
    for (const each of sockets.get(userId)?.values() ?? []) state = combine(state, each)
    return state
  }

  function change(userId: string, act: () => void) {
    const before = stateOf(userId)
    act()
    if (stateOf(userId) !== before) onChange(userId)
  }

  function set(userId: string, socketId: string, state: PresenceState) {
    const own = sockets.get(userId) ?? new Map<string, PresenceState>()
    sockets.set(userId, own.set(socketId, state))
    // An idle page doesn't replace an active one elsewhere, which may be reloading.
    if (combine(state, graceOf(userId)) === state) endGrace(userId)
  }

  function remove(userId: string, socketId: string, now?: 'now') {
    const own = sockets.get(userId)
    const before = stateOf(userId)
    if (!own?.delete(socketId)) return
    if (own.size === 0) sockets.delete(userId)
    if (now && own.size === 0) endGrace(userId)
    if (!now && (own.size === 0 || stateOf(userId) !== before)) startGrace(userId, before)
  }

  function startGrace(userId: string, state: PresenceState) {
    endGrace(userId)
    const onGraceOver = () => change(userId, () => graces.delete(userId))
    graces.set(userId, { state, timer: setTimeout(onGraceOver, GRACE_MS) })
  }

  function endGrace(userId: string) {
    clearTimeout(graces.get(userId)?.timer)
    graces.delete(userId)
  }

  return {
    stateOf,
    add: (userId: string, socketId: string, isIdle: boolean) =>
      change(userId, () => set(userId, socketId, isIdle ? 'idle' : 'online')),
    /** No-op for unknown sockets. */
    setIdle: (userId: string, socketId: string, isIdle: boolean) =>
      change(userId, () => {
        if (sockets.get(userId)?.has(socketId)) set(userId, socketId, isIdle ? 'idle' : 'online')
      }),
    /** `now` skips the grace period. */
    remove: (userId: string, socketId: string, now?: 'now') => change(userId, () => remove(userId, socketId, now)),
    userIds: () => [...sockets.keys(), ...graces.keys()],
    stop() {
      for (const { timer } of graces.values()) clearTimeout(timer)
    },
  }
}
