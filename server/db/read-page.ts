import type { SelectQueryBuilder } from 'kysely'

/** Reads a page of a query, starting at 1, plus one row that shows whether there are more. */
export async function readPage<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { page, limit }: { page: number; limit: number },
) {
  const rows = await query
    .limit(limit + 1)
    .offset((page - 1) * limit)
    .execute()
  return { rows: rows.slice(0, limit), pagination: { page, limit, hasMore: rows.length > limit } }
}
