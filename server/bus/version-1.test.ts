import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSeal } from '../config/seal.ts'
import { newNodeId } from '../db/live-nodes.ts'
import type { MembersChange } from '../realtime/member-sockets.ts'
import type { BusNotice } from './bus.ts'
import { openLink } from './link.ts'
import type { TransportEvents } from './transport.ts'
import { fromVersion1, type Tuple, toVersion1 } from './version-1.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const overJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

test.each<[BusNotice, Tuple]>([
  [
    { kind: 'event', audience: 'viewers:c', event: 'typing', payload: { channelId: 'c' }, removal: 0 } as BusNotice,
    ['event', 'lookers:c', 'typing', { channelId: 'c' }, null, 0],
  ],
  [
    {
      kind: 'event',
      audience: ['everyone', 'user:u'],
      event: 'e',
      payload: {},
      except: 'channel:c',
      removal: 5,
    } as BusNotice,
    ['event', ['everyone', 'user:u'], 'e', {}, 'channel:c', 5],
  ],
  [{ kind: 'joined', channelId: 'c', userIds: ['u'], rev: 3 } as BusNotice, ['joined', 'c', ['u'], 3]],
  [
    { kind: 'left', channelId: 'c', userId: 'u', rev: 4, removal: { lastRemoval: 2, previousRemoval: 1 } } as BusNotice,
    ['left', 'c', 'u', 4, { lastRemoval: 2, previousRemoval: 1 }],
  ],
  [{ kind: 'private', channelId: 'c' } as BusNotice, ['private', 'c']],
  [{ kind: 'closed', channelId: 'c' } as BusNotice, ['closed', 'c']],
  [{ kind: 'poll' }, ['poll']],
  [
    { kind: 'presence', version: 7, came: ['u'], left: ['v', 'w'] } as BusNotice,
    [
      'presence',
      7,
      [
        ['u', true],
        ['v', false],
        ['w', false],
      ],
    ],
  ],
  [{ kind: 'presence:all', version: 7, online: ['u'] } as BusNotice, ['presence:all', 7, ['u']]],
  [{ kind: 'presence:wanted' }, ['presence:wanted']],
])('%j is %j in version 1', (notice, tuple) => {
  expect(overJson(toVersion1(notice))).toEqual(tuple)
  expect(fromVersion1(tuple)).toEqual(notice)
})

/** A network that delivers immediately; `heard` contains the opened packets. */
function network() {
  const seal = createSeal('secret', 'workspace')
  const ends: TransportEvents[] = []
  const heard: { header: Record<string, unknown>; notices: unknown[] }[] = []
  const send = async (packet: Buffer) => {
    const [header = '', notices = ''] = (seal.open(packet) ?? '').split('\n')
    heard.push({ header: JSON.parse(header), notices: JSON.parse(notices) })
    for (const { onPacket } of ends) setTimeout(() => onPacket(packet), 1)
  }
  const openNode = () => {
    const received: BusNotice[] = []
    const nothing = () => {}
    const bus = openLink({
      node: newNodeId(),
      openTransport: (events) => {
        ends.push(events)
        setTimeout(events.onConnected)
        return { intervalMsPerPeer: 2, send, close: async () => {} }
      },
      seal,
      log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
      observer: { onEcho: nothing, onMissed: nothing, onDropped: nothing, onIgnored: nothing, onSent: nothing },
      events: {
        onNotice: (notice) => received.push(notice),
        onPeerJoined: nothing,
        onPeerLeft: nothing,
        onMissed: nothing,
      },
    })
    return { bus, received }
  }
  /** Sends like a node of version 1. */
  const sendAs1 = (header: object, notices: Tuple[]) =>
    send(
      seal.seal(
        `${JSON.stringify({ v: 1, node: 'older', previous: 0, count: notices.length, ...header })}\n${JSON.stringify(notices)}`,
      ),
    )
  return { openNode, sendAs1, heard }
}

test('while there is a node of version 1, notices use its format, and all nodes understand them', async () => {
  const { openNode, sendAs1, heard } = network()
  const [a, b] = [openNode(), openNode()]
  await vi.advanceTimersByTimeAsync(100)
  const joined: MembersChange = { kind: 'joined', channelId: 'c', userIds: ['u'], rev: 3 }
  const lastSent = () => heard.findLast(({ notices }) => notices.length > 0)
  a.bus.send(joined)
  await vi.advanceTimersByTimeAsync(100)
  expect(lastSent()).toMatchObject({ header: { v: 2, speaks: 2 }, notices: [joined] })

  const peers = [...new Set(heard.map(({ header }) => header['node'] as string))]
  await sendAs1({ n: 1, peers }, [])
  await vi.advanceTimersByTimeAsync(10)
  a.bus.send(joined)
  await vi.advanceTimersByTimeAsync(100)
  expect(lastSent()).toMatchObject({ header: { v: 1, speaks: 2 }, notices: [['joined', 'c', ['u'], 3]] })
  expect(b.received).toEqual([joined, joined])
  await sendAs1({ n: 2 }, [['private', 'c']])
  await vi.advanceTimersByTimeAsync(10)
  expect(a.received).toEqual([{ kind: 'private', channelId: 'c' }])

  await sendAs1({ n: 3, previous: 2, isLast: true }, [])
  await vi.advanceTimersByTimeAsync(10)
  a.bus.send(joined)
  await vi.advanceTimersByTimeAsync(100)
  expect(lastSent()).toMatchObject({ header: { v: 2 }, notices: [joined] })
  await Promise.all([a.bus.close(), b.bus.close(), vi.advanceTimersByTimeAsync(3000)])
})
