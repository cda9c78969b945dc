import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { onceClosed } from './once-closed.ts'

test('callbacks for a response’s close share one listener and run once, in order', () => {
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  const before = answer.listenerCount('close')
  const done: number[] = []
  for (let n = 0; n < 12; n++) onceClosed(answer, () => done.push(n))
  expect(answer.listenerCount('close')).toBe(before + 1)
  answer.emit('close')
  answer.emit('close')
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})
