import { expect, test } from 'vitest'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { startParley } from '../test/support/parley.ts'

test("a restore leaves another program's database alone, and says where a replaced workspace's files are", async () => {
  const [parley, other] = [await startParley(), await startParley()]
  await parley.person('ada')
  await other.person('bob')
  await other.app.db.updateTable('workspace').set({ filesId: crypto.randomUUID() }).execute()
  const { filesId } = await other.app.db.selectFrom('workspace').select('filesId').executeTakeFirstOrThrow()
  const place = await newFolder()
  const settings = { DATABASE_URL: parley.databaseUrl, DATA_DIR: parley.app.config.dataDir, BACKUP_TO: place }
  expect(await run('backup', settings)).toMatchObject({ isDone: true })

  const shop = await newDatabase()
  const to = { ...settings, DATA_DIR: await newFolder() }
  const contents = [
    `create table invoices (id int); insert into invoices values (7)`,
    // Other programs have a table of this name.
    `create table migrations (id int, name text); insert into migrations values (1, '2014_10_12_create_users')`,
  ]
  for (const content of contents) {
    await onDatabase(shop, (client) => client.query(content))
    for (const args of [[], ['--replace', '--yes']])
      expect(await run('restore', { ...to, DATABASE_URL: shop }, ...args)).toEqual({
        isDone: false,
        text: expect.stringMatching(/^The database belongs to another program: it has "invoices"/),
      })
  }
  expect((await onDatabase(shop, (client) => client.query('select id from invoices'))).rows).toEqual([{ id: 7 }])

  const url = other.databaseUrl
  await other.app.close()
  expect(await run('restore', { ...to, DATABASE_URL: url }, '--replace', '--yes')).toEqual({
    isDone: true,
    text: expect.stringContaining(`${to.DATA_DIR}/files/${filesId}: delete them if nobody needs them.`),
  })
})
