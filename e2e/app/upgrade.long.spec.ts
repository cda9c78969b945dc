import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { untilShellStored } from '../support/app-shell.ts'
import { composer, expect, openAsOwner, test } from '../support/fixtures.ts'
import { createOtherBuild } from '../support/other-build.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'

test.use({ serviceWorkers: 'allow' })

/** Pages check at most 25 s after they are connected again. */
const VERSION_CHECK_TIMEOUT_MS = 60_000

const newVersion = (page: Page) => page.getByText('A new version of Parley is available.')
const entryOf = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type=module]')?.src)

test('an upgrade is offered while somebody types, and its shell replaces the earlier one; so does a downgrade', async ({
  browser,
}) => {
  const other = await createOtherBuild()
  const server = await startServer()
  try {
    const ada = await openAsOwner(browser, server.address)
    const first = await entryOf(ada)
    await untilShellStored(ada)
    await composer(ada).fill('half a sentence')

    await server.stop()
    await server.start(other.root)
    await expect(newVersion(ada)).toBeVisible({ timeout: VERSION_CHECK_TIMEOUT_MS })
    expect(await entryOf(ada)).toBe(first)
    // A part of the first build, which the server no longer has.
    await openSettings(ada)
    await ada.keyboard.press('Escape')
    await expect(composer(ada)).toHaveValue('half a sentence')
    await ada.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => entryOf(ada)).not.toBe(first)
    await expect(composer(ada)).toHaveValue('half a sentence')
    const second = await entryOf(ada)
    await untilShellStored(ada)

    await server.stop()
    const proxy = createServer((_, response) => response.writeHead(502).end('Bad Gateway')).listen(
      server.port,
      '127.0.0.1',
    )
    await once(proxy, 'listening')
    await ada.reload()
    await expect(ada.getByRole('alert')).toBeVisible()
    expect(await entryOf(ada)).toBe(second)
    proxy.closeAllConnections()
    proxy.close()
    await server.start()
    // The shell is of the version that was replaced.
    await expect(newVersion(ada)).toBeVisible({ timeout: VERSION_CHECK_TIMEOUT_MS })
    await expect(composer(ada)).toHaveValue('half a sentence')
    await ada.getByRole('button', { name: 'Reload' }).click()
    await expect.poll(() => entryOf(ada)).toBe(first)
    await untilShellStored(ada)

    await server.stop()
    await ada.reload()
    await expect(ada.getByRole('alert')).toBeVisible()
    expect(await entryOf(ada)).toBe(first)
  } finally {
    await server.remove()
    await other.remove()
  }
})
