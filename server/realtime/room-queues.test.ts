import { expect, test } from 'vitest'
import { transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { startParley } from '../test/support/parley.ts'

const parley = await startParley()
const { roomQueues } = parley.app.realtime
const { ada } = await parley.people('ada')

/** A transaction id from a database that was far ahead. */
const UNKNOWN_REMOVAL = 1e12

test('queued events are dropped when the database has lost commits; tasks enqueued first still run', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'waiting' })
  const ran: string[] = []
  const enqueue = (name: string) =>
    roomQueues.enqueue(channel.id, () => void ran.push(name), { removal: UNKNOWN_REMOVAL })

  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
  roomQueues.enqueueFirst(channel.id, () => blocked)
  roomQueues.enqueueFirst(channel.id, async () => void ran.push('first'))

  const restore = await transaction(
    parley.databaseUrl,
    ['lock table workspace in access exclusive mode'],
    ['update workspace set epoch = gen_random_uuid()'],
  )
  await untilLockWait(parley.databaseUrl, 'pg_current_snapshot()::text as snapshot')
  enqueue('lost')
  await restore.commit()
  await expect.poll(async () => (await parley.app.inject('/metrics')).body).toContain('parley_change_resets_total 1')
  enqueue('later')
  unblock()
  await expect.poll(() => ran).toContain('later')
  expect(ran).toEqual(['first', 'later'])
})
