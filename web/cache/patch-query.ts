import type { InferDataFromTag, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

/**
 * Changes the cached data of a query, and also the response of a fetch in flight, which may be older than the change.
 * `apply` runs twice then, so it must return its argument when there is nothing left to change.
 */
export function patch<K extends QueryKey>(
  client: QueryClient,
  queryKey: K,
  apply: (held: InferDataFromTag<unknown, K>) => InferDataFromTag<unknown, K>,
) {
  const query = client.getQueryCache().find({ queryKey })
  if (!query) return
  const change = () => {
    const { isInvalidated } = query.state
    const held = client.getQueryData(queryKey)
    const next = held === undefined ? held : apply(held)
    if (next === held) return
    client.setQueryData<unknown, K>(queryKey, next)
    // Setting data marks it fresh.
    if (isInvalidated) query.invalidate()
  }
  change()
  query.promise?.then(change, () => {})
}

/**
 * Invalidates queries, and those that are being fetched for the first time once more after that: the response may be older.
 * The library repeats a fetch in flight only if the query has data.
 */
export function invalidate(client: QueryClient, filters: QueryFilters) {
  for (const { queryKey, state, promise } of client.getQueryCache().findAll(filters)) {
    const again = () => client.invalidateQueries({ queryKey, exact: true })
    if (state.data === undefined && state.fetchStatus !== 'idle') promise?.then(again, () => {})
  }
  return client.invalidateQueries(filters)
}

/** Fetches active queries again, even if a fetch is in flight: its response may be older. */
export async function refetch(client: QueryClient, filters: QueryFilters) {
  await client.cancelQueries(filters)
  await client.invalidateQueries(filters)
}
