import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { tries } from '#contract/test/properties'
import { type MessageUpdate, updateFromReaction } from '../../../cache/message-update.ts'
import { aMessage } from '../../../test/a-message.ts'
import { append, covers, insertMessages, type MessageWindow, mergeMessages, prepend, trim } from './message-window.ts'
import { applyChanges, applyEvent } from './window-changes.ts'

const message = (seq: number, rev = seq) => aMessage(seq, { rev })

const windowOf = (seqs: number[], over: Partial<MessageWindow> = {}): MessageWindow => ({
  messages: seqs.map((seq) => message(seq)),
  hasOlder: false,
  hasNewer: false,
  rev: 10,
  ...over,
})

const event = (rev: number, message?: Message): MessageUpdate => ({ channelId: 'c', rev, ...(message && { message }) })

const seqs = ({ messages }: MessageWindow) => messages.map(({ seq }) => seq)

test('merging keeps the newest version of each message once, in order, regardless of the order of arrival', () => {
  const versions = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 99 })), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(versions, fc.nat(40), (pairs, cut) => {
      const incoming = pairs.map(([seq, rev]) => message(seq, rev))
      const merged = mergeMessages(mergeMessages([], incoming.slice(0, cut)), incoming.slice(cut))
      const newest = new Map(
        pairs.map(([seq]) => [seq, Math.max(...pairs.filter((pair) => pair[0] === seq).map((pair) => pair[1]))]),
      )
      expect(merged.map(({ seq, rev }) => [seq, rev])).toEqual([...newest].sort((a, b) => a[0] - b[0]))
    }),
    tries(100),
  )
})

test('the next revision is applied, an old one ignored, and a later one is a gap', () => {
  const window = windowOf([1, 2, 3])
  expect(applyEvent(window, event(10, message(2, 10)))).toBe(window)
  expect(applyEvent(window, event(12, message(4, 12)))).toBe('gap')
  expect(applyEvent(window, event(11, message(4, 11)))).toMatchObject({ rev: 11, messages: { length: 4 } })
  expect(applyEvent(window, event(11))).toEqual({ ...window, rev: 11 })
})

test('a window in the middle of a channel is updated, but never extended by events', () => {
  const middle = windowOf([40, 41, 42], { hasOlder: true, hasNewer: true })
  expect(seqs(insertMessages(middle, [message(90), message(39), message(43)]))).toEqual([40, 41, 42])
  expect(insertMessages(middle, [message(41, 50)]).messages[1]?.rev).toBe(50)
  expect(applyEvent(middle, event(11, message(90, 11)))).toEqual({ ...middle, rev: 11 })
  expect(seqs(insertMessages(windowOf([40, 41], { hasOlder: true }), [message(39), message(42)]))).toEqual([40, 41, 42])
})

test('the window of a thread contains its parent and replies, the window of the channel no replies', () => {
  const parent = message(1)
  const reply = (seq: number, rev: number, threadId = parent.id) =>
    aMessage(seq, { id: `reply-${threadId}-${seq}`, threadId, rev })
  const incoming = [reply(1, 11), reply(2, 12, 'another'), message(1, 11), message(2, 13)]
  const thread = insertMessages(windowOf([], { parent }), incoming)
  expect(thread.messages).toEqual([reply(1, 11)])
  expect(thread.parent?.rev).toBe(11)
  expect(insertMessages(windowOf([1, 2]), incoming).messages.map(({ id, rev }) => [id, rev])).toEqual([
    ['id-1', 11],
    ['id-2', 13],
  ])
})

test('a partial update leaves the rest of a message as it is, and does not change a newer message', () => {
  const reacted = { channelId: 'c', rev: 11, messageId: 'id-2', updatedAt: 'now', users: [message(1).user], count: 1 }
  const update = updateFromReaction({ ...reacted, emoji: '👍', userId: 'bob' })
  const next = applyEvent(windowOf([1, 2]), update) as MessageWindow
  expect(next.messages[1]).toMatchObject({ content: 'message 2', rev: 11, reactionCounts: { '👍': 1 } })
  const newer = { ...windowOf([]), messages: [message(2, 12)] }
  expect(applyEvent(newer, update)).toEqual({ ...newer, rev: 11 })
})

test('changes advance the revision and never set it back; too many changes, or an older database, cause a reload', () => {
  const window = windowOf([1, 2])
  expect(applyChanges(window, { rev: 12, messages: [message(3, 12)] }, 10)).toMatchObject({ rev: 12 })
  // Events arrived before the response.
  expect(applyChanges({ ...window, rev: 15 }, { rev: 12, messages: [message(3, 12)] }, 10)).toMatchObject({
    rev: 15,
  })
  expect(applyChanges(window, { rev: 900, reload: true }, 10)).toBe('reload')
  expect(applyChanges(window, { rev: 4, messages: [] }, 10)).toBe('reload')
})

test('an appended page sets the window back to its own revision', () => {
  const window = windowOf([4, 5, 6], { hasOlder: true, hasNewer: true })
  const page = windowOf([7, 8], { hasOlder: true, rev: 9 })
  expect(append(window, page)).toMatchObject({ hasOlder: true, hasNewer: false, rev: 9 })
  expect(seqs(append(window, page))).toEqual([4, 5, 6, 7, 8])
  expect(append(window, { ...page, hasNewer: true })).toMatchObject({ hasNewer: true })
  // A later message does not follow the page directly.
  expect(seqs(insertMessages(append(window, { ...page, hasNewer: true }), [message(12)]))).toEqual([4, 5, 6, 7, 8])
})

test('trimming drops messages and marks that there are more', () => {
  const window = prepend(windowOf([4, 5, 6], { hasOlder: true }), windowOf([1, 2, 3]))
  const older = trim(window, 4, 'oldest')
  expect(seqs(older)).toEqual([1, 2, 3, 4])
  expect(older).toMatchObject({ hasOlder: false, hasNewer: true })
  const newer = trim(window, 4, 'newest')
  expect(seqs(newer)).toEqual([3, 4, 5, 6])
  expect(newer).toMatchObject({ hasOlder: true, hasNewer: false })
  expect(trim(window, 6, 'newest')).toBe(window)
  expect([0, 1, 4, 5, 9].map((seq) => covers(older, seq))).toEqual([true, true, true, false, false])
  expect([2, 3, 6, 9].map((seq) => covers(newer, seq))).toEqual([false, true, true, true])
})
