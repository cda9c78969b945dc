import { afterEach, expect, test, vi } from 'vitest'
import type { BusNotice } from '../bus/bus.ts'
import { sharePresence } from './shared-presence.ts'
import type { PresenceState } from './socket-presence.ts'

// What nodes tell each other about idle people, beside nodes of earlier versions.

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

function node() {
  const states = new Map<string, PresenceState>()
  const sent: BusNotice[] = []
  const changes: string[] = []
  const shared = sharePresence({
    bus: { send: (notice) => void sent.push(notice), peers: () => ['other'] },
    stateHere: (userId) => states.get(userId) ?? 'offline',
    onChange: (userId) => changes.push(`${userId} ${shared.stateOf(userId)}`),
  })
  endings.push(shared.stop)
  return {
    ...shared,
    sent,
    changes,
    /** Sets states of people here, and returns the notice about them. */
    async become(next: Record<string, PresenceState>) {
      const before = sent.length
      for (const [userId, state] of Object.entries(next)) {
        states.set(userId, state)
        shared.changedHere(userId)
      }
      await vi.waitFor(() => expect(sent.length).toBeGreaterThan(before))
      return sent.at(-1) as BusNotice
    },
    all() {
      shared.receive({ kind: 'presence:wanted' }, 'other')
      return sent.at(-1) as BusNotice
    },
  }
}

test('notices list idle people in fields of their own, which earlier versions ignore', async () => {
  const { become, all } = node()
  const [came, left] = [['ada', 'bob'], []]
  expect(await become({ ada: 'online', bob: 'idle' })).toEqual({
    kind: 'presence',
    version: 1,
    came,
    left,
    idle: ['bob'],
  })
  expect(await become({ ada: 'idle' })).toEqual({ kind: 'presence', version: 2, came: [], left, idle: ['ada'] })
  expect(all()).toEqual({ kind: 'presence:all', version: 2, online: ['ada', 'bob'], idle: ['ada', 'bob'] })
  expect(await become({ ada: 'online' })).toEqual({ kind: 'presence', version: 3, came: [], left, active: ['ada'] })
  expect(await become({ bob: 'offline' })).toEqual({ kind: 'presence', version: 4, came: [], left: ['bob'] })
  expect(all()).toEqual({ kind: 'presence:all', version: 4, online: ['ada'] })
})

test('another node applies each change and the whole list', async () => {
  const [here, there] = [node(), node()]
  there.receive(here.all(), 'here')
  for (const state of ['idle', 'online', 'idle', 'offline', 'online'] as const)
    there.receive(await here.become({ ada: state }), 'here')
  expect(there.changes).toEqual(['ada idle', 'ada online', 'ada idle', 'ada offline', 'ada online'])
  await here.become({ ada: 'idle' })
  there.receive(here.all(), 'here')
  expect(there.changes.at(-1)).toBe('ada idle')
  expect(there.online()).toEqual(['ada'])
})

test('the people of a node of an earlier version are active', () => {
  const { receive, stateOf, changes } = node()
  receive({ kind: 'presence:all', version: 1, online: ['ada'] } as BusNotice, 'old')
  receive({ kind: 'presence', version: 2, came: ['bob'], left: ['ada'] } as BusNotice, 'old')
  expect(changes).toEqual(['ada online', 'bob online', 'ada offline'])
  // Idle on another node, but active on this one.
  receive({ kind: 'presence:all', version: 1, online: ['bob'], idle: ['bob'] } as BusNotice, 'new')
  expect(stateOf('bob')).toBe('online')
})

test('idle people of a node that is gone stay idle until they come back', () => {
  const { receive, peerLeft, stateOf } = node()
  receive({ kind: 'presence:all', version: 1, online: ['ada', 'bob'], idle: ['ada'] } as BusNotice, 'one')
  receive({ kind: 'presence:all', version: 1, online: ['bob'], idle: ['bob'] } as BusNotice, 'two')
  peerLeft('one')
  peerLeft('two')
  expect([stateOf('ada'), stateOf('bob')]).toEqual(['idle', 'online'])
})
