import { expect, test } from 'vitest'
import { newFolder } from '../test/support/backup-commands.ts'
import { serve, startParley } from '../test/support/parley.ts'
import { listBackups } from './manifest.ts'
import { openFolder } from './place.ts'

test('one of two nodes makes a due backup, and the metrics and audit log of both show it', async () => {
  const folder = await newFolder()
  const settings = { BACKUP_TO: folder, BACKUP_EVERY: '1d' }
  const parley = await startParley(settings)
  const other = await serve(parley.databaseUrl, settings)
  const place = openFolder(folder)
  await expect.poll(() => listBackups(place)).toEqual([{ name: expect.any(String), isComplete: true }])
  const made = async ({ app }: typeof other) => {
    const { body } = await app.inject({ url: '/metrics' })
    return Number(/^parley_last_backup_timestamp_seconds (\S+)/m.exec(body)?.[1])
  }
  for (const node of [parley, other]) await expect.poll(() => made(node)).toBeGreaterThan(1_700_000_000)
  const { db } = parley.app
  const lines = () => db.selectFrom('audit_log').select('kind').where('kind', '=', 'backup_made').execute()
  expect(await lines()).toHaveLength(1)
  expect(await listBackups(place)).toHaveLength(1)
})
