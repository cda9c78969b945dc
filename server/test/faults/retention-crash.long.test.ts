import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { onDatabase } from '../support/database.ts'
import { newDatabase } from '../support/new-database.ts'
import { openServerProcess, signUpClient } from '../support/server-process.ts'
import { STATE_TIMEOUT_MS } from '../support/timeouts.ts'

const OLD = 20_000

test(
  'a server killed while removing old messages continues after the restart, and counts each once',
  async () => {
    const databaseUrl = await newDatabase()
    const server = await openServerProcess({ DATABASE_URL: databaseUrl })
    await server.start()
    const olga = await signUpClient(server.address, 'olga')
    const { body: channel } = await olga.call('POST', '/api/channels', { name: 'archive' })
    const query = async (text: string, values: unknown[] = []) =>
      (await onDatabase(databaseUrl, (client) => client.query(text, values))).rows
    await query(
      `insert into messages (id, "channelId", "userId", content, seq, rev, "createdAt")
     select gen_random_uuid(), $1, $2, 'old ' || n, n, n, now() - interval '60 days' from generate_series(1, ${OLD}) n`,
      [channel.id, olga.id],
    )
    await query(`update channels set seq = ${OLD}, rev = ${OLD} + 1 where id = $1`, [channel.id])
    await olga.call('POST', '/api/messages', { channelId: channel.id, content: 'young' })
    const left = async () =>
      Number((await query('select count(*) from messages where "channelId" = $1', [channel.id]))[0].count)

    expect((await olga.call('PUT', '/api/retention', { days: 30 })).status).toBe(200)
    const end = Date.now() + STATE_TIMEOUT_MS
    while ((await left()) > OLD && Date.now() < end) await sleep(5)
    await server.kill('SIGKILL')
    const remaining = await left()
    expect(remaining).toBeLessThanOrEqual(OLD)
    expect(remaining).toBeGreaterThan(1)
    const [row] = await query('select removing, "removedRev" from channels where id = $1', [channel.id])
    expect(row).toMatchObject({ removing: { messages: OLD + 1 - remaining }, removedRev: '0' })
    // Skips waiting until the node counts as dead, and until the next check of the rules.
    await query(`update channels set "removingSince" = now() - interval '1 hour' where "removingSince" is not null`)
    await server.start()
    await olga.call('PUT', '/api/retention', { days: 30 })
    await expect.poll(left, { timeout: 3 * STATE_TIMEOUT_MS }).toBe(1)
    const lines = () => query(`select details from audit_log where kind = 'messages_expired'`)
    await expect
      .poll(lines, { timeout: STATE_TIMEOUT_MS })
      .toEqual([{ details: expect.objectContaining({ messages: OLD }) }])
    const { body } = await olga.call('GET', `/api/messages/channel/${channel.id}`)
    expect(body).toMatchObject([{ content: 'young' }])
  },
  3 * 60_000,
)
