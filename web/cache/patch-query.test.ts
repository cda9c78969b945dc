import { QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patch, refetch } from './patch-query.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page with a list, and a server whose responses take 100 ms. */
function page() {
  const client = new QueryClient()
  let stored = ['one']
  const list = queryOptions({
    queryKey: ['list'],
    queryFn: () => {
      const snapshot = stored
      return new Promise<string[]>((resolve) => setTimeout(() => resolve(snapshot), 100))
    },
  })
  const stop = new QueryObserver(client, list).subscribe(() => {})
  const add = (item: string) => patch(client, list.queryKey, (held) => (held.includes(item) ? held : [...held, item]))
  return {
    client,
    list,
    stop,
    add,
    /** Changes the list on the server; responses in flight do not contain it. */
    store: (item: string) => {
      stored = [...stored, item]
    },
    held: () => client.getQueryData(list.queryKey),
  }
}

test('a change during a fetch is applied to a response without it, and not repeated in a response with it', async () => {
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

test('a refetch ignores the response of a fetch in flight', async () => {
  const { store, held, client, list } = page()
  await vi.advanceTimersByTimeAsync(50)
  store('two')
  void refetch(client, list)
  await vi.advanceTimersByTimeAsync(60)
  expect(held()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(50)
  expect(held()).toEqual(['one', 'two'])
})

test('an invalidated query without observers is fetched when it gets one, even if it was patched since', async () => {
  const { stop, add, store, held, client, list } = page()
  await vi.advanceTimersByTimeAsync(100)
  stop()
  store('missed')
  await refetch(client, list)
  store('received')
  add('received')
  expect(held()).toEqual(['one', 'received'])
  new QueryObserver(client, { ...list, staleTime: 5000 }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(100)
  expect(held()).toEqual(['one', 'missed', 'received'])
})
