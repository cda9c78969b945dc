import { execFile } from 'node:child_process'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { SECRET, startParley } from '../../server/test/support/parley.ts'

/** Runs `npm run seed` on a workspace; returns its exit code and output. */
function seed({ databaseUrl, app }: Awaited<ReturnType<typeof startParley>>, ...args: string[]) {
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: app.config.dataDir, SECRET, REDIS_URL: '' }
  const env = { ...process.env, ...settings }
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, ['scripts/seed.ts', ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, said: out + err }),
    )
  })
}

test('seeding refuses a workspace with people, whatever their addresses, and changes nothing', async () => {
  const parley = await startParley()
  const kim = await parley.person('kim')
  await kim.post('/api/channels', { name: 'customers' })
  const counts = async () =>
    (
      await sql`select (select count(*) from users) as users, (select count(*) from channels) as channels,
        (select sum(rev) from channels) as revisions`.execute(parley.app.db)
    ).rows
  const before = await counts()
  const refused = await seed(parley)
  expect(refused).toEqual({
    code: 1,
    said: expect.stringContaining('has people of its own (1), so nothing was changed'),
  })
  expect(refused.said).not.toMatch(/\n {4}at /)

  // The demo would post in the name of this user.
  await sql`update users set username = 'ada' where id = ${kim.id}`.execute(parley.app.db)
  const taken = await seed(parley, '--anyway')
  expect(taken).toEqual({ code: 1, said: expect.stringContaining('which would write in their names: ada.') })
  expect(await counts()).toEqual(before)
})

test('seeding fills an empty workspace, and a second run adds what is requested', async () => {
  const parley = await startParley()
  const first = await seed(parley, '--messages', '50')
  expect(first).toEqual({ code: 0, said: expect.stringContaining('Sign in as “ada”') })
  const again = await seed(parley, '--messages', '50')
  expect(again).toEqual({ code: 0, said: expect.stringContaining('The demo week is already there') })
})
