import type { InferDataFromTag, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query'

/**
 * Changes what a query holds; and the answer that is on its way too, which may be from before. `by` is asked twice
 * then, so it has to see what is done already; where there is nothing to do, it answers what it was given.
 */
export function patch<K extends QueryKey>(
  client: QueryClient,
  queryKey: K,
  by: (held: InferDataFromTag<unknown, K>) => InferDataFromTag<unknown, K>,
) {
  const query = client.getQueryCache().find({ queryKey })
  if (!query) return
  const change = () => {
    const { isInvalidated } = query.state
    const held = client.getQueryData(queryKey)
    const next = held === undefined ? held : by(held)
    if (next === held) return
    client.setQueryData<unknown, K>(queryKey, next)
    // It is as old as it was.
    if (isInvalidated) query.invalidate()
  }
  change()
  query.promise?.then(change, () => {})
}

/** Asks once more for what is looked at, also where an answer is on its way, which may be from before. */
export async function refetch(client: QueryClient, filters: QueryFilters) {
  await client.cancelQueries(filters)
  await client.invalidateQueries(filters)
}
