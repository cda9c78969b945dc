import { notifyManager } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { confirm, markUnconfirmed, shownUnconfirmed } from './unconfirmed.ts'

test('components learn of the confirmation after the last change of the cache that led to it', async () => {
  const learned: string[] = []
  const unwatch = shownUnconfirmed.watch(() => learned.push(`unconfirmed: ${shownUnconfirmed.get()}`))
  markUnconfirmed()
  notifyManager.schedule(() => learned.push('messages'))
  confirm('messages')
  notifyManager.schedule(() => learned.push('channels'))
  confirm('channels')
  await expect.poll(() => learned.at(-1)).toBe('unconfirmed: false')
  expect(learned).toEqual(['unconfirmed: true', 'messages', 'channels', 'unconfirmed: false'])
  unwatch()
})
