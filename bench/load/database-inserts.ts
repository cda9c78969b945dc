import pg from 'pg'
import { newId } from '../../server/db/ids.ts'
import type { Inserts } from './jobs.ts'
import type { OutcomeCounter } from './outcome-counter.ts'

/** Inserts without a server in between: groups of messages, with one statement and one commit each. */
export async function insert(
  { databaseUrl, table, connections, size, contents, userId, channelId }: Inserts,
  seconds: number,
  counter: OutcomeCounter,
) {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  const newest = await clients[0]?.query(`select max(seq) as seq from ${table}`)
  let seq = Number(newest?.rows[0].seq)
  const text = `
    insert into ${table} (id, "channelId", "userId", content, "clientId", seq, rev, "createdAt", "updatedAt")
    select id, $1, $2, content, id, seq, seq, now(), now()
    from unnest($3::uuid[], $4::text[], $5::bigint[]) as batch(id, content, seq)`
  counter.begin()
  const until = performance.now() + seconds * 1000
  const work = async (client: pg.Client) => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      const ids = Array.from({ length: size }, newId)
      const seqs = ids.map(() => ++seq)
      const texts = seqs.map((n) => contents[n % contents.length])
      await client.query({ name: 'insert', text, values: [channelId, userId, ids, texts, seqs] })
      counter.took(performance.now() - now, size)
    }
  }
  try {
    await Promise.all(clients.map(work))
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}
