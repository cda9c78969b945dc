import type pg from 'pg'
import { findFaults } from '../../scripts/seed/check.ts'
import type { Outcome } from '../load/jobs.ts'

/**
 * Checks that the database has each acknowledged message once, under its key.
 * @returns the verdict in a sentence
 * @throws Error if one is not
 */
export async function verifyStored(pool: pg.Pool, outcomes: Outcome[]): Promise<string> {
  const ids = outcomes.flatMap((outcome) => outcome.ids)
  const keys = outcomes.flatMap((outcome) => outcome.keys)
  const { rows } = await pool.query<{ stored: number }>(
    `select count(distinct m.id) as stored from unnest($1::uuid[], $2::text[]) as sent(id, key)
     join messages m on m.id = sent.id and m."clientId" = sent.key`,
    [ids, keys],
  )
  const stored = rows[0]?.stored
  if (stored !== ids.length) throw new Error(`${ids.length} messages were acknowledged, ${stored} of them are stored`)
  const faults = await findFaults(pool)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return `${ids.length} sends acknowledged, ${stored} stored; every channel numbered without gaps.`
}
