import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openCookieClient } from '../../server/test/support/cookie-client.ts'
import { zipOf } from '../../server/test/support/import-archive.ts'
import { contents } from '../../server/test/support/imported-workspace.ts'
import { newDatabase } from '../../server/test/support/new-database.ts'
import { signUpClient } from '../../server/test/support/server-process.ts'
import { commandIn, installPackage, newFolder } from './test/installed-package.ts'

test('a workspace of the package is backed up, verified, restored elsewhere, exported and imported into', async () => {
  const { program } = await installPackage()
  const [folder, elsewhere, backups] = await Promise.all([newFolder(), newFolder(), newFolder()])
  const kept = { PORT: '0', BACKUP_TO: backups, BACKUP_PASSPHRASE: 'correct horse battery' }
  const parley = commandIn(folder, program, { ...kept, PROCESSES: '2' })
  const running = await parley.start()
  const ada = await signUpClient(running.address, 'ada')
  const channelId = (await ada.call('GET', '/api/channels')).body.channels[0].id
  await ada.call('POST', '/api/messages', { channelId, content: 'Written before the backup' })

  const done = (text: string) => ({ isDone: true, text: expect.stringContaining(text) })
  expect(await parley.run('reset-password', 'ada')).toEqual(done('/new-password#'))
  expect(await parley.run('backup')).toEqual(done('Backed up 1 person, '))
  expect(await parley.run('verify-backup')).toEqual(done(' is complete: '))
  expect(await parley.run('restore-drill')).toEqual(done('this backup can be restored'))
  expect(await parley.run('import', await zipOf(contents()))).toEqual(done('Imported '))
  await running.stop()
  expect(await parley.run('export', '--all', '--out=all.zip')).toEqual(done('Written: all.zip'))
  expect((await readdir(folder)).sort()).toEqual(['all.zip', 'parley-data'])

  const restored = commandIn(elsewhere, program, kept)
  expect(await restored.run('restore')).toEqual(done('Restored '))
  const { address } = await restored.start()
  expect(await readMessages(address, channelId)).toContain('Written before the backup')
})

test('migrates an outside database, which nodes with MIGRATE=off wait for', async () => {
  const { program } = await installPackage()
  const settings = { PORT: '0', MIGRATE: 'off', DATABASE_URL: await newDatabase() }
  const parley = commandIn(await newFolder(), program, settings)
  expect(await parley.run()).toEqual({ isDone: false, text: expect.stringContaining('run "parley migrate"') })
  expect(await parley.run('migrate')).toEqual({ isDone: true, text: 'The database is up to date.\n' })
  await parley.start()
})

/** Signs in as Ada, and returns the messages of a channel as text. */
async function readMessages(address: string, channelId: string) {
  const client = openCookieClient()
  await client.post(`${address}/api/auth/sign-in/email`, { email: 'ada@example.com', password: 'correct horse' })
  const { token } = await (await client.ask(`${address}/api/auth/token`)).json()
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${address}/api/messages/channel/${channelId}`, { headers })).text()
}
