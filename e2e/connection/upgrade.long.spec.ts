import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { checkOutLastRelease } from '../../server/test/support/last-release.ts'
import { composer, expect, message, say, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { createSharedChannel } from '../support/threads.ts'

/** The maximum build time of the earlier client. */
const BUILD_TIMEOUT_MS = 300_000

test('an open page of the last release goes on when its server is upgraded', async ({ person }) => {
  test.setTimeout(BUILD_TIMEOUT_MS * 2)
  const release = await checkOutLastRelease()
  test.skip(!release, 'the last release is not part of this clone')
  const { root, remove } = release as NonNullable<typeof release>
  await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: root, timeout: BUILD_TIMEOUT_MS })
  const server = await startServer({ DATABASE_URL: '' }, root)
  try {
    const { address } = server
    await person('Olga Owner', { address, open: false })
    const ada = await person('Ada Lovelace', { address })
    const bob = await person('Bob Kahn', { address })
    await createSharedChannel(ada, bob)
    await say(ada, 'before the upgrade')
    await expect(message(bob, 'before the upgrade')).toBeVisible()
    // Neither page may reload automatically while something is typed; the mark detects whether one did.
    for (const page of [ada, bob]) await page.evaluate(() => Object.assign(window, { isOldPage: true }))
    await composer(bob).fill('not sent yet')

    await server.stop()
    await say(ada, 'during the upgrade')
    await server.start(process.cwd())
    await expect(message(bob, 'during the upgrade')).toBeVisible({ timeout: 90_000 })
    await expect(message(ada, 'Waiting to send')).toHaveCount(0)
    await composer(bob).fill('after the upgrade')
    await say(ada, 'answered')
    await expect(message(bob, 'answered')).toBeVisible()
    expect(await bob.evaluate(() => 'isOldPage' in window)).toBe(true)
    // From here on nothing is typed, so a page may load the new version whenever it is idle.
    await composer(bob).press('Enter')
    await expect(message(ada, 'after the upgrade')).toBeVisible({ timeout: 90_000 })
  } finally {
    await server.remove()
    await remove()
  }
})
