import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { aMessage } from '../../../test/a-message.ts'
import { pinsIn, renameInPins, withMessage } from './pin-queries.ts'

const by = { id: 'ada', username: 'ada', name: 'Ada' }
const pinned = (n: number, minute: number, rev = n) => ({
  ...aMessage(n),
  rev,
  pin: { at: `2026-11-03T10:0${minute}:00.000Z`, by },
})
const ids = (messages: { id: string }[]) => messages.map(({ id }) => id)

test('a pinned message takes its place by the time it was pinned', () => {
  const [first, last] = [pinned(1, 5), pinned(2, 1)]
  const between = pinned(3, 3)
  expect(ids(withMessage([first, last], between))).toEqual(ids([first, between, last]))
})

test('an edit replaces a pinned message, and an unpinned or deleted one goes', () => {
  const [first, last] = [pinned(1, 5), pinned(2, 1)]
  const edited = { ...last, content: 'edited', rev: 9 }
  expect(withMessage([first, last], edited)).toEqual([first, edited])
  const { pin: _, ...unpinned } = { ...first, rev: 9 }
  expect(withMessage([first, last], unpinned)).toEqual([last])
})

test('older versions and messages that are not pinned leave the list as it is', () => {
  const pins = [pinned(1, 5, 7)]
  expect(withMessage(pins, pinned(1, 6, 6))).toBe(pins)
  expect(withMessage(pins, pinned(1, 6, 7))).toBe(pins)
  expect(withMessage(pins, aMessage(4))).toBe(pins)
})

test('a person who is renamed has the new name as author and pinner, and other lists stay as they are', () => {
  const client = new QueryClient()
  const mine = [pinned(1, 5)]
  const others = [{ ...pinned(2, 5), user: { ...by, id: 'bob' }, pin: { at: '', by: { ...by, id: 'bob' } } }]
  client.setQueryData(pinsIn('c').queryKey, mine)
  client.setQueryData(pinsIn('d').queryKey, others)
  renameInPins(client, { id: 'ada', username: 'ada', name: 'Ada Byron' })
  expect(client.getQueryData(pinsIn('c').queryKey)).toMatchObject([
    { user: { name: 'Ada Byron' }, pin: { by: { name: 'Ada Byron' } } },
  ])
  expect(client.getQueryData(pinsIn('d').queryKey)).toBe(others)
})
