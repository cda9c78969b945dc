import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { serve, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')
await parley.app.exporting.stop()

const stateIs = (state: string) =>
  expect.poll(async () => (await ada.get('/api/exports')).body[0].state, { timeout: STATE_TIMEOUT_MS }).toBe(state)

test('an export that is repeatedly interrupted by restarts is eventually written', async () => {
  await sql`insert into exports (id, "userId", scope) values (gen_random_uuid(), ${ada.id}, 'mine')`.execute(
    parley.app.db,
  )
  for (let n = 0; n < 4; n++) {
    const { app } = await serve(parley.databaseUrl)
    // A disk so slow that the server is stopped before the write ends.
    const { promise, reject } = Promise.withResolvers<never>()
    // The server may stop before it writes.
    promise.catch(() => {})
    app.storage.write = () => promise
    const { stop } = app.exporting
    app.exporting.stop = () => {
      const stopped = stop()
      reject(new Error('The server is stopping'))
      return stopped
    }
    app.exporting.wake()
    await stateIs('running')
    await app.close()
    await stateIs('queued')
  }
  const { app } = await serve(parley.databaseUrl)
  app.exporting.wake()
  await stateIs('done')
})
