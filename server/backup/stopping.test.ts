import { expect, test } from 'vitest'
import { newFolder } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { makeBackup } from './make-backup.ts'
import { openFolder } from './place.ts'
import { findReadable } from './prune-backups.ts'

test('a stopping server does not wait for a table that is being backed up', async () => {
  const { app, databaseUrl } = await startParley()
  const place = openFolder(await newFolder())
  const options = {
    databaseUrl,
    db: app.db,
    storage: app.storage,
    place,
    keep: 14,
  }
  const stopping = new AbortController()
  await onDatabase(databaseUrl, async (client) => {
    // Simulates a table so large that copying it takes long.
    await client.query('begin; lock table messages in access exclusive mode')
    const made = makeBackup({ ...options, signal: stopping.signal }).then(
      () => 'made',
      () => 'ended',
    )
    const waiting = `select from pg_stat_activity where datname = current_database()
      and application_name = 'parley backup' and wait_event_type = 'Lock'`
    await expect.poll(async () => (await app.pool.query(waiting)).rows.length, { timeout: STATE_TIMEOUT_MS }).toBe(1)
    stopping.abort()
    expect(await made).toBe('ended')
    await client.query('rollback')
  })
  expect(await findReadable(place)).toBeUndefined()
  // The next one is complete.
  const { name } = await makeBackup(options)
  expect(await findReadable(place)).toMatchObject({ name })
})
