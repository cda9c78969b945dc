import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { auditPages } from './audit-queries.ts'

const page = { entries: [], next: 7 }

test('the newest page is refreshed, but not once older lines are asked for: that they failed stays said', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  let fails = true
  const queryFn = ({ pageParam }: { pageParam: unknown }) => {
    if (pageParam !== 0 && fails) throw new Error('no connection')
    return page
  }
  const options = { ...auditPages({}), queryFn }
  const observer = new InfiniteQueryObserver(client, options as never)
  const isRefreshed = () => {
    const { refetchInterval } = options as { refetchInterval?: unknown }
    if (typeof refetchInterval !== 'function') throw new Error('not a function')
    return refetchInterval(observer.getCurrentQuery()) !== false
  }
  await observer.refetch()
  expect(isRefreshed()).toBe(true)
  await observer.fetchNextPage()
  expect(observer.getCurrentResult().isFetchNextPageError).toBe(true)
  expect(isRefreshed()).toBe(false)
  fails = false
  await observer.fetchNextPage()
  expect(observer.getCurrentResult().data).toMatchObject({ pages: [page, page] })
  expect(isRefreshed()).toBe(false)
})
