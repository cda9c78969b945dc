import { expect, test } from 'vitest'
import type { PendingMessage } from './pending-message.ts'
import { sendableOnClose } from './sendable-on-close.ts'

const NOW = 1_800_000_000_000
type Details = Partial<PendingMessage>
const held = { heldUntil: NOW + 3000 }
const queued = { state: 'queued' } as const
const ofOtherTab = { of: 'another tab' }

const message = (content: string, details: Details = {}): PendingMessage => ({
  clientId: content.slice(0, 9),
  channelId: 'c',
  threadId: null,
  content,
  createdAt: '2026-01-01T00:00:00.000Z',
  state: 'sending',
  ...details,
})
const sentOnClose = (...conversations: PendingMessage[][]) =>
  sendableOnClose(conversations, ({ of }) => of === undefined, NOW).map(({ clientId }) => clientId)

test.each<[string, Details, string[]]>([
  ['a held one', held, ['first', 'last']],
  ['one that was never held', {}, ['first', 'last']],
  ['one that is no longer held', { heldUntil: 0 }, ['first', 'last']],
  ['one of another tab that is no longer held', { ...ofOtherTab, heldUntil: 0 }, ['first', 'last']],
  ['a held one of another tab, which could take it back', { ...ofOtherTab, ...held }, []],
  ['one of another tab whose time has just passed', { ...ofOtherTab, heldUntil: NOW - 1000 }, []],
  ['a queued one, which they would overtake', queued, []],
])('on closing, held messages behind %s: %j, sent: %j', (_, details, sent) => {
  expect(sentOnClose([message('first', details), message('last', held)])).toEqual(sent)
})

test('on closing, failed messages stay', () => {
  expect(sentOnClose([message('first', { state: 'failed' }), message('last', held)])).toEqual(['last'])
})

test('on closing, a conversation ends before the first message that does not fit, and others do not', () => {
  const long = (name: string) => message(name.padEnd(9) + 'ü'.repeat(12_000), held)
  const names = sentOnClose(
    [long('a1'), long('a2'), long('a3'), message('a4', held)],
    [message('b1', held), long('b2'), message('b3', held)],
  )
  expect(names.map((name) => name.trim())).toEqual(['a1', 'a2', 'b1'])
})
