import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'

test('the log of an internal error contains the database’s message, but nothing that people wrote', async () => {
  const log: string[] = []
  const parley = await startParley({ LOG_LEVEL: 'info' }, { write: (line) => log.push(line) })
  const { ada } = await parley.people('ada')
  const { body: channel } = await ada.post('/api/channels', { name: 'kitchen' })
  const { db } = parley.app
  await sql`alter table messages add constraint brief check (length(content) < 20)`.execute(db)
  await sql`alter table users add constraint public check (name not like '%secret%')`.execute(db)
  const message = { channelId: channel.id, content: 'a secret of more than twenty letters' }
  expect(await ada.post('/api/messages', message)).toMatchObject({ status: 500 })
  expect(await ada.patch('/api/users/me', { name: 'my secret name' })).toMatchObject({ status: 500 })
  expect(log.join()).not.toContain('secret')
  const errors = log
    .map((line) => JSON.parse(line))
    .filter(({ err }) => err?.code !== undefined && err.code !== 'internal')
  const violated = (table: string, constraint: string) =>
    expect.objectContaining({
      code: '23514',
      table,
      constraint,
      message: `new row for relation "${table}" violates check constraint "${constraint}"`,
    })
  expect(errors.map(({ err }) => err)).toEqual([violated('messages', 'brief'), violated('users', 'public')])
  expect(errors[1].err.stack).toContain('rename')
})
