import { expect, message, say, test } from '../support/fixtures.ts'
import { createSharedChannel } from '../support/threads.ts'

test('when the server restarts while two people chat, nothing is lost, and both continue without a reload', {
  tag: '@long',
}, async ({ person, server }) => {
  test.slow()
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'before the restart')
  await expect(message(bob, 'before the restart')).toBeVisible()
  await server.stop()
  await say(ada, 'during the restart')
  await expect(message(ada, 'during the restart')).toContainText('Waiting to send')
  await server.start()
  await expect(message(bob, 'during the restart')).toBeVisible({ timeout: 90_000 })
  await expect(message(ada, 'Waiting to send')).toHaveCount(0)
  await say(bob, 'after the restart')
  // The connection may succeed only at its second retry.
  await expect(message(ada, 'after the restart')).toBeVisible({ timeout: 90_000 })
})
