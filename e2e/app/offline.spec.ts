import type { Page } from '@playwright/test'
import { untilShellStored } from '../support/app-shell.ts'
import { composer, expect, test } from '../support/fixtures.ts'

test.use({ serviceWorkers: 'allow' })

const unreachable = (page: Page) => page.getByRole('alert')

test('Parley opens without a network, says so, and goes on when there is one', async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await untilShellStored(ada)
  await composer(ada).fill('not sent yet')
  const { href } = new URL(ada.url())
  await ada.close()

  network.cut()
  const later = await ada.context().newPage()
  await later.goto(href)
  await expect(unreachable(later)).toContainText("Can't reach Parley")
  await ada.context().setOffline(true)
  await expect(unreachable(later)).toContainText('You’re offline')
  network.restore()
  await ada.context().setOffline(false)
  await expect(composer(later)).toHaveValue('not sent yet')
})

test('a cleared cache is filled again', { tag: '@long' }, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await untilShellStored(ada)
  await ada.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name)
  })
  await ada.reload()
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  await untilShellStored(ada)
  network.cut()
  await ada.reload()
  await expect(unreachable(ada)).toBeVisible()
  network.restore()
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
})
