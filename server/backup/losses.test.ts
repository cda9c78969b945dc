import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'
import type { Manifest } from './manifest.ts'
import { countLosses } from './roll-back.ts'

test('a rollback counts as lost what the audit log records, but no sign-ins', async () => {
  const parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  const { rows } = await parley.app.pool.query('select clock_timestamp() as now')
  const snapshot = { madeAt: new Date(rows[0].now).toISOString() } as Manifest
  const none = { messages: 0, edits: 0, people: 0, channels: 0, files: 0, changes: 0 }
  const { email, password } = bob
  await parley.app.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload: { email, password } })
  expect(await countLosses(parley.app.db, snapshot)).toEqual(none)
  await ada.put(`/api/users/${bob.id}/deactivation`, {})
  expect(await countLosses(parley.app.db, snapshot)).toMatchObject({ ...none, changes: expect.any(Number) })
  expect((await countLosses(parley.app.db, snapshot)).changes).toBeGreaterThan(0)
})
