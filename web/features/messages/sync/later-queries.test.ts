import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { LaterItem } from '#contract/later'
import { aMessage } from '../../../test/a-message.ts'
import { applyLater, applyLaterRemoved, applyToSaved, myLater, savedMessages, withItem } from './later-queries.ts'

const item = (id: string, fields: Partial<LaterItem> = {}): LaterItem => ({
  id,
  messageId: null,
  text: id,
  rev: 1,
  createdAt: `2026-12-0${id}T09:00:00.000Z`,
  dueAt: null,
  remindedAt: null,
  doneAt: null,
  ...fields,
})
const DONE = { doneAt: '2026-12-09T09:00:00.000Z' }
const idsOf = (items: LaterItem[] | undefined) => items?.map(({ id }) => id)

test('an item is added in its place, changed, and removed when it is done', () => {
  const items = [item('3'), item('1')]
  const added = withItem(items, item('2'))
  expect(idsOf(added)).toEqual(['3', '2', '1'])
  expect(withItem(added, item('2', { rev: 2, text: 'changed' }))[1]?.text).toBe('changed')
  expect(idsOf(withItem(added, item('2', { rev: 2, ...DONE })))).toEqual(['3', '1'])
})

test('an older version, and a done item that is not listed, change nothing', () => {
  const items = [item('1', { rev: 3 })]
  expect(withItem(items, item('1', { rev: 2, ...DONE }))).toBe(items)
  expect(withItem(items, item('2', DONE))).toBe(items)
})

test('events that arrive in another order bring nothing back', () => {
  const client = new QueryClient()
  client.setQueryData(myLater.queryKey, [item('4'), item('5')])
  const listed = () => idsOf(client.getQueryData(myLater.queryKey))
  applyLater(client, item('4', { rev: 3, ...DONE }))
  applyLater(client, item('4', { rev: 2 }))
  expect(listed()).toEqual(['5'])
  applyLaterRemoved(client, { id: '5' })
  applyLater(client, item('5', { rev: 2 }))
  expect(listed()).toEqual([])
  applyLater(client, item('4', { rev: 4 }))
  expect(listed()).toEqual(['4'])
})

test('a saved message follows its edits', () => {
  const client = new QueryClient()
  const message = aMessage(1)
  const { queryKey } = savedMessages([message.id])
  client.setQueryData(queryKey, [message])
  applyToSaved(client, { ...message, content: 'edited', rev: message.rev + 1 })
  applyToSaved(client, { ...message, content: 'older', rev: message.rev })
  expect(client.getQueryData(queryKey)?.map(({ content }) => content)).toEqual(['edited'])
})
