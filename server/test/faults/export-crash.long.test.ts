import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onDatabase } from '../support/database.ts'
import { newDatabase } from '../support/new-database.ts'
import { readZip } from '../support/read-zip.ts'
import { openServerProcess, signUpClient } from '../support/server-process.ts'
import { STATE_TIMEOUT_MS } from '../support/timeouts.ts'

const MESSAGES = 20_000

test(
  'a killed server restarts its export from scratch; the operator can export everything',
  async () => {
    const databaseUrl = await newDatabase()
    const server = await openServerProcess({ DATABASE_URL: databaseUrl })
    await server.start()
    const ada = await signUpClient(server.address, 'ada')
    const bob = await signUpClient(server.address, 'bob')
    const { body: channel } = await ada.call('POST', '/api/channels', { name: 'long', isPrivate: true })
    const { body: secret } = await bob.call('POST', '/api/channels', { name: 'secret', isPrivate: true })
    await bob.call('POST', '/api/messages', { channelId: secret.id, content: 'quartz' })
    const query = async (text: string, values: unknown[] = []) =>
      (await onDatabase(databaseUrl, (client) => client.query(text, values))).rows
    await query(
      `insert into messages (id, "channelId", "userId", content, seq, rev)
     select gen_random_uuid(), $1, $2, 'line ' || n, n, n from generate_series(1, ${MESSAGES}) n`,
      [channel.id, ada.id],
    )
    await query(`update channels set seq = ${MESSAGES}, rev = ${MESSAGES} + 1 where id = $1`, [channel.id])

    await ada.call('POST', '/api/exports', { scope: 'channel', channelId: channel.id })
    const newest = async () => (await query('select state, attempts, messages from exports'))[0]
    await expect.poll(async () => (await newest()).state, { timeout: STATE_TIMEOUT_MS }).toBe('running')
    await server.kill('SIGKILL')
    expect(await newest()).toMatchObject({ state: 'running', attempts: 1 })
    // Skips waiting until the node counts as dead.
    await query(`update exports set "touchedAt" = now() - interval '1 minute'`)
    await server.start()
    await expect.poll(async () => (await newest()).state, { timeout: 3 * STATE_TIMEOUT_MS }).toBe('done')
    expect(await newest()).toMatchObject({ attempts: 2, messages: String(MESSAGES) })
    const [done] = (await ada.call('GET', '/api/exports')).body
    const answer = await fetch(`${server.address}/api/exports/${done.id}/archive`, {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    const files = await readZip(Buffer.from(await answer.arrayBuffer()))
    const lines = String(files.get(`data/messages/${channel.id}.jsonl`))
      .trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual(Array.from({ length: MESSAGES }, (_, n) => n + 1))
    const pages = [...files.keys()].filter((name) => /^channels\/.*\/\d+\.html$/.test(name))
    expect(pages).toHaveLength(MESSAGES / 500)
    expect(String(files.get(`channels/${channel.id}/40.html`))).toContain('line 20000')

    const out = join(server.dataDir, 'all.zip')
    const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: server.dataDir }
    const script = (...args: string[]) =>
      spawnSync(process.execPath, ['scripts/export.ts', ...args], { env, encoding: 'utf8' })
    expect(script().stderr).toContain('--all')
    expect(script('--all', `--out=${out}`)).toMatchObject({ status: 0, stderr: '' })
    const all = await readZip(await readFile(out))
    expect(String(all.get(`data/messages/${secret.id}.jsonl`))).toContain('quartz')
  },
  4 * 60_000,
)
