import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { now } from './clock.ts'
import type { SentMessage } from './paced-sends.ts'
import type { Swarm } from './start-servers.ts'

/** Seconds within which all sockets must have caught up. */
const RECOVERY_TIMEOUT_S = 120

type Counters = Map<string, { seq: number; rev: number }>

export async function countersOf(pool: pg.Pool, channelIds: string[]): Promise<Counters> {
  const { rows } = await pool.query<{ id: string; seq: number; rev: number }>(
    'select id, seq, rev from channels where id = any($1::uuid[])',
    [channelIds],
  )
  return new Map(rows.map(({ id, seq, rev }) => [id, { seq, rev }]))
}

/** Waits until every socket has every revision of its channels. */
export async function waitUntilComplete(swarm: Swarm, sockets: number, counters: Counters) {
  const latest = now() + RECOVERY_TIMEOUT_S * 1000
  for (;;) {
    const progress = await swarm.progress()
    if (progress.faults.length > 0) throw new Error(progress.faults.join('; '))
    const behind = Object.entries(progress.revs).filter(([id, rev]) => rev !== counters.get(id)?.rev)
    if (behind.length === 0 && progress.complete === sockets) return progress
    if (now() > latest)
      throw new Error(
        `${progress.back} of ${sockets} are back, ${progress.complete} complete, ${behind.length} channels behind`,
      )
    await sleep(200)
  }
}

/** Checks that each key is stored once, with the acknowledged message, and that the channels have no other new messages. */
export async function verifyStored(pool: pg.Pool, sent: SentMessage[], before: Counters, after: Counters) {
  const { rows } = await pool.query<{ rows: number; right: number }>(
    `select count(m.id) as rows, count(m.id) filter (where m.id = acknowledged.id and m."channelId" = acknowledged.channel) as right
     from unnest($1::text[], $2::uuid[], $3::uuid[]) as acknowledged(key, id, channel) left join messages m on m."clientId" = acknowledged.key`,
    [sent.map(({ key }) => key), sent.map(({ id }) => id), sent.map(({ channelId }) => channelId)],
  )
  const [{ rows: stored, right } = { rows: 0, right: 0 }] = rows
  let grown = 0
  for (const [id, { seq }] of after) grown += seq - (before.get(id)?.seq ?? 0)
  if (stored !== sent.length || right !== sent.length || grown !== sent.length)
    throw new Error(
      `${sent.length} sends were acknowledged; ${stored} rows have their keys, ${right} are theirs, ${grown} are new`,
    )
}
