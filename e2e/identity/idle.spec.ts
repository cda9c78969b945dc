import type { Page } from '@playwright/test'
import {
  callApi,
  composer,
  createPrivateChannel,
  expect,
  openTab,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { row } from '../support/sidebar.ts'

/** Makes a person idle: their last input was an hour ago, and a reload is no input. */
async function becomeIdle(page: Page) {
  const { id } = await userOn(page)
  await page.evaluate((key) => localStorage.setItem(key, String(Date.now() - 3_600_000)), `parley.input.${id}`)
  await page.reload()
  await expect(composer(page)).toBeVisible()
}

test('somebody idle shows to others as away, until input in any of their tabs', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createPrivateChannel(ada, bob, uniqueName('pause'))
  await callApi(ada, 'POST', '/api/direct-messages', { userIds: [(await userOn(bob)).id] })
  const away = row(ada, 'Bob Kahn').getByRole('img', { name: 'Away' })
  await expect(row(ada, 'Bob Kahn')).toContainText('online')
  await expect(away).toHaveCount(0)
  await becomeIdle(bob)
  await expect(away).toBeVisible()
  await expect(row(ada, 'Bob Kahn')).toContainText('online')
  await ada.reload()
  await expect(away).toBeVisible()
  await bob.mouse.move(200, 200)
  await bob.mouse.move(210, 210)
  await expect(away).toHaveCount(0)

  await becomeIdle(bob)
  await expect(away).toBeVisible()
  // Another tab, which is input by being opened.
  await openTab(bob)
  await expect(away).toHaveCount(0)
})
