import type { Page } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  invite,
  openGeneral,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { row } from '../support/sidebar.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true })
const box = (page: Page) => dialog(page).getByRole('combobox')
const best = (page: Page) => dialog(page).getByRole('option').first()

test('a few letters and Enter open a channel, a direct message, or one with a new person', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const name = uniqueName('harbour')
  await createChannel(ada, name)
  await ada.getByRole('link', { name: /general/ }).click()
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  await composer(ada).fill('half a thought')

  await ada.keyboard.press('ControlOrMeta+k')
  await expect(box(ada)).toBeFocused()
  await ada.keyboard.type(name.slice(0, 4) + name.slice(-3))
  await expect(best(ada)).toContainText(name)
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(dialog(ada)).toHaveCount(0)
  await ada.goBack()
  await expect(composer(ada)).toHaveValue('half a thought')

  // Choosing a person opens a new direct message if none exists.
  const { username } = await userOn(bob)
  await ada.getByRole('button', { name: 'Search messages and files...' }).click()
  await box(ada).fill(`@${username}`)
  await expect(best(ada)).toContainText('Bob Kahn')
  await best(ada).click()
  await expect(ada.getByRole('heading', { name: 'Bob Kahn' })).toBeVisible()
  const { directMessages } = await callApi(bob, 'GET', '/api/channels?page=1&limit=100')
  expect(directMessages.map(({ id }: { id: string }) => id)).toContain(channelIdOn(ada))
  // The direct message is listed once, with and without a query.
  await ada.keyboard.press('ControlOrMeta+k')
  await expect(best(ada)).toBeVisible()
  await box(ada).fill(username)
  await expect(dialog(ada).getByRole('option')).toHaveCount(1)

  // The key after Enter may arrive before the browser does anything else.
  await box(ada).fill('lamp has:l')
  await expect(best(ada)).toContainText('Messages with a link')
  const left = await box(ada).evaluate(async (it: HTMLInputElement) => {
    it.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    await Promise.resolve()
    return it.value
  })
  expect(left).toBe('lamp ')
})

test('before one types, unread conversations come first; text in no name finds nothing; keys open and close the dialog', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(ada)
  const name = uniqueName('news')
  const channelId = await createChannel(ada, name, { isPrivate: true })
  await invite(ada, bob, channelId)
  await openGeneral(ada)
  await callApi(bob, 'POST', '/api/messages', { channelId, content: 'something new' })
  await expect(row(ada, name)).toHaveCSS('font-weight', '600')
  await composer(ada).fill('kept')
  await ada.keyboard.press('ControlOrMeta+k')
  const recent = dialog(ada).getByRole('group', { name: 'UNREAD AND RECENT' }).getByRole('option')
  await expect(recent.first()).toContainText(name)
  await expect(recent.first().getByText(name)).toHaveCSS('font-weight', '600')
  await expect(recent.last().locator('bdi').first()).toHaveCSS('font-weight', '450')
  // The query is not a pattern, and the list does not offer oneself.
  for (const query of [String.raw`.*[(\ %_`, username, 'x'.repeat(900)]) {
    await box(ada).fill(query)
    await expect(dialog(ada).getByText('No results found')).toBeVisible()
  }
  await box(ada).fill('x'.repeat(1002))
  await expect(dialog(ada).getByRole('alert')).toHaveText('Too long by 2 characters')
  for (const key of ['ControlOrMeta+k', 'Escape']) {
    if ((await dialog(ada).count()) === 0) await ada.keyboard.press('ControlOrMeta+k')
    await expect(box(ada)).toBeFocused()
    await ada.keyboard.press(key)
    await expect(dialog(ada)).toHaveCount(0)
    await expect(composer(ada)).toBeFocused()
  }
  await expect(composer(ada)).toHaveValue('kept')
})
