import { QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patch, refetch } from './patch-query.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A server whose answers are late, and a page that looks at them. */
function page() {
  const client = new QueryClient()
  let stored = ['one']
  const list = queryOptions({
    queryKey: ['list'],
    queryFn: () => {
      const read = stored
      return new Promise<string[]>((resolve) => setTimeout(() => resolve(read), 100))
    },
  })
  const stop = new QueryObserver(client, list).subscribe(() => {})
  const add = (told: string) => patch(client, list.queryKey, (held) => (held.includes(told) ? held : [...held, told]))
  return {
    client,
    list,
    stop,
    add,
    /** Something happens; what was read before does not show it. */
    store: (what: string) => {
      stored = [...stored, what]
    },
    held: () => client.getQueryData(list.queryKey),
  }
}

test('what is told while an answer is on its way stands in the answer that does not show it yet, and once in one that does', async () => {
  const { add, store, held, client, list } = page()
  store('two')
  add('two')
  expect(held()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(100)
  expect(held()).toEqual(['one', 'two'])

  void client.refetchQueries(list)
  await vi.advanceTimersByTimeAsync(50)
  add('three')
  expect(held()).toEqual(['one', 'two', 'three'])
  await vi.advanceTimersByTimeAsync(50)
  expect(held()).toEqual(['one', 'two', 'three'])
})

test('what is asked for again is not taken from an answer that is on its way', async () => {
  const { store, held, client, list } = page()
  await vi.advanceTimersByTimeAsync(50)
  store('two')
  void refetch(client, list)
  await vi.advanceTimersByTimeAsync(60)
  expect(held()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(50)
  expect(held()).toEqual(['one', 'two'])
})

test('what nobody looks at is read anew when somebody does, also where it was changed since', async () => {
  const { stop, add, store, held, client, list } = page()
  await vi.advanceTimersByTimeAsync(100)
  stop()
  store('missed')
  await refetch(client, list)
  store('told')
  add('told')
  expect(held()).toEqual(['one', 'told'])
  new QueryObserver(client, { ...list, staleTime: 5000 }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(100)
  expect(held()).toEqual(['one', 'missed', 'told'])
})
