import { expect, test } from 'vitest'
import { transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'

const parley = await startParley()
const { ada, cyd } = await parley.people('ada', 'cyd')

const measured = async (name: string) => {
  const { body } = await parley.app.inject('/metrics')
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(body)?.[1])
}

test('a database that stalls and recovers closes no sockets, and the next poll publishes everything', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'still', isPrivate: true, members: [cyd.id] })
  const cyds = await cyd.listen()
  const before = await measured('parley_change_polls_failed_total')
  const frozen = await transaction(
    parley.databaseUrl,
    ['lock table workspace in access exclusive mode'],
    ['update channels set rev = rev + 1, "changedAt" = clock_timestamp() where id = $1', [channel.id]],
  )
  await expect
    .poll(() => measured('parley_change_polls_failed_total'), { timeout: 2 * STATE_TIMEOUT_MS })
    .toBeGreaterThanOrEqual(before + 3)
  // The first query after it resumes is not a poll but a health check.
  await untilLockWait(parley.databaseUrl, 'is null and false')
  await frozen.commit()
  await cyds.waitFor('channel:rev', ({ channelId }) => channelId === channel.id)
  expect(await measured('parley_change_resets_total')).toBe(0)
  expect(cyds.socket.connected).toBe(true)
})
