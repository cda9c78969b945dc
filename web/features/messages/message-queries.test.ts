import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { addMessage, lastBeforeGap, messagesIn } from './message-queries.ts'

const message = (seq: number): Message => ({
  id: `id-${seq}`,
  channelId: 'c',
  userId: 'ada',
  user: { id: 'ada', username: 'ada', name: 'Ada' },
  content: String(seq),
  clientId: null,
  seq,
  rev: seq,
  createdAt: '',
  updatedAt: '',
})

test('in whatever order and however often messages come, each stands once, by its number', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 80 }), (seqs) => {
      const client = new QueryClient()
      const { queryKey } = messagesIn('c')
      client.setQueryData(queryKey, { messages: [], hasOlder: false })
      for (const seq of seqs) addMessage(client, message(seq))
      const held = client.getQueryData(queryKey)?.messages.map(({ seq }) => seq)
      expect(held).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    }),
  )
})

test('catching up begins where the first message is missing', () => {
  const after = (seqs: number[]) => lastBeforeGap(seqs.map(message))
  expect(after([])).toBeUndefined()
  expect(after([7])).toBe(7)
  expect(after([5, 6, 7])).toBe(7)
  // 9 is my own, whose reply came before I knew of 7 and 8.
  expect(after([5, 6, 9])).toBe(6)
  expect(after([5, 7, 9])).toBe(5)
})
