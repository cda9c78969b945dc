import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface AttemptLimit {
  /** Seconds. */
  window: number
  max: number
}

export interface AttemptResult {
  allowed: boolean
  /** Seconds until the window is over. */
  retryAfter: number
}

/**
 * Counts an attempt and returns whether it is allowed. One statement locks the key's row, so concurrent attempts are all
 * counted, including those on other nodes.
 */
export async function countAttempt(db: Db, key: string, { window, max }: AttemptLimit): Promise<AttemptResult> {
  const { rows } = await sql<{ count: number; left: number }>`
    insert into tries as t (key, count, "startedAt") values (${key}, 1, clock_timestamp())
    on conflict (key) do update set
      count = case when t."startedAt" < clock_timestamp() - make_interval(secs => ${window}) then 1 else t.count + 1 end,
      "startedAt" = case when t."startedAt" < clock_timestamp() - make_interval(secs => ${window})
        then clock_timestamp() else t."startedAt" end
    returning count, extract(epoch from "startedAt" - clock_timestamp())::float8 + ${window} as left
  `.execute(db)
  const [{ count, left }] = rows as [{ count: number; left: number }]
  return { allowed: count <= max, retryAfter: Math.max(1, Math.ceil(left)) }
}
