import { expect, test } from 'vitest'
import { createChannelQueues } from './channel-queues.ts'

const open = () => createChannelQueues<string>(() => {})
const queued = (queues: ReturnType<typeof open>) => [...queues.unlocked()].map(([id, items]) => [id, ...items])

test('items put back precede later ones of their channel, and count as waiting', () => {
  const queues = open()
  for (const item of ['1', '2', '3']) queues.enqueue('general', item)
  queues.dequeue('general')
  queues.dequeue('general')
  queues.enqueue('general', '4')
  expect(queues.waiting()).toBe(2)
  queues.putBack('general', ['1', '2'])
  expect(queued(queues)).toEqual([['general', '1', '2', '3', '4']])
  expect(queues.waiting()).toBe(4)
})

test('a channel whose items are put back is served after the others', () => {
  const queues = open()
  queues.enqueue('first', '1')
  queues.dequeue('first')
  queues.lock('first')
  queues.enqueue('second', '2')
  queues.putBack('first', ['1'])
  expect(queued(queues)).toEqual([['second', '2']])
  queues.unlock('first')
  expect(queued(queues)).toEqual([
    ['second', '2'],
    ['first', '1'],
  ])
})
