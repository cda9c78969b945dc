import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { newFolder } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { type Person, SECRET, startParley } from '../test/support/parley.ts'
import { readLastBackup } from './last-backup.ts'
import { makeBackup } from './make-backup.ts'
import { findBackup, rowsOf } from './manifest.ts'
import { openFolder } from './place.ts'
import { restoreBackup } from './restore-backup.ts'

// What administrators, extensions and hosts have put into the database.

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person

beforeAll(async () => {
  parley = await startParley()
  ada = await parley.person('ada')
})

const query = (url: string, statement: string) => onDatabase(url, (client) => client.query(statement))

const backUp = async (folder: string) => {
  const { app, databaseUrl } = parley
  return makeBackup({ databaseUrl, db: app.db, storage: app.storage, place: openFolder(folder), keep: 2 })
}

async function restore(folder: string, databaseUrl: string) {
  const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: await newFolder(), SECRET })
  const place = openFolder(folder)
  await restoreBackup({ databaseUrl, config, secret: SECRET, place, manifest: await findBackup(place) })
}

test("tables that aren't Parley's prevent neither a backup nor its restore", async () => {
  await query(
    parley.databaseUrl,
    `create table messages_2025 as select id from messages;
     create table "Notes" (id int);
     create table notes_of_ops (id int generated always as identity, text text);
     insert into notes_of_ops (text) values ('call the landlord');
     create table spatial_ref_sys (srid int primary key);
     alter extension plpgsql add table spatial_ref_sys`,
  )
  const folder = await newFolder()
  const { name } = await backUp(folder)
  const found = await findBackup(openFolder(folder))
  expect(found.name).toBe(name)
  expect(rowsOf(found, 'users')).toBe(2)
  expect(found.tables.map((table) => table.name)).not.toContain('spatial_ref_sys')

  const url = await newDatabase()
  await restore(folder, url)
  expect((await query(url, `select id from users where id = '${ada.id}'`)).rows).toHaveLength(1)
  expect((await query(url, "select to_regclass('notes_of_ops') as found")).rows).toEqual([{ found: null }])
})

test('a restore leaves tables of extensions alone, and refuses a database with the functions of another program', async () => {
  const folder = await newFolder()
  await backUp(folder)
  const url = await newDatabase()
  await query(
    url,
    `create table spatial_ref_sys (srid int primary key); insert into spatial_ref_sys values (4326);
     alter extension plpgsql add table spatial_ref_sys`,
  )
  await restore(folder, url)
  expect((await query(url, 'select srid from spatial_ref_sys')).rows).toEqual([{ srid: 4326 }])

  const theirs = await newDatabase()
  await query(theirs, `create function theirs() returns int language sql as 'select 1'`)
  await expect(restore(folder, theirs)).rejects.toThrow(/^The database belongs to another program: it has "theirs"/)
  expect((await query(theirs, 'select theirs()')).rows).toEqual([{ theirs: 1 }])
})

test("the database's own time limits don't end a backup", async () => {
  const name = new URL(parley.databaseUrl).pathname.slice(1)
  const { server_version_num: version } = (await query(parley.databaseUrl, 'show server_version_num')).rows[0]
  const limits = ['idle_session_timeout', ...(version >= 170_000 ? ['transaction_timeout'] : [])]
  for (const limit of limits) await query(parley.databaseUrl, `alter database ${name} set ${limit} = '300ms'`)
  const { id } = (await ada.post('/api/channels', { name: 'kitchen' })).body
  await ada.upload(id, 'menu.txt')
  const { app, databaseUrl } = parley
  const place = openFolder(await newFolder())
  const slow = {
    ...place,
    async write(...[key, bytes]: Parameters<typeof place.write>) {
      if (key.startsWith('files/') || key.includes('/users.')) await new Promise((done) => setTimeout(done, 900))
      await place.write(key, bytes)
    },
  }
  await makeBackup({ databaseUrl, db: app.db, storage: app.storage, place: slow, keep: 2 })
  expect((await readLastBackup(app.db)).failure).toBeUndefined()
  for (const limit of limits) await query(parley.databaseUrl, `alter database ${name} reset ${limit}`)
})
