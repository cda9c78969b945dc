import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, createChannel, expect, test, uniqueName, userOn } from '../support/fixtures.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true })
const box = (page: Page) => dialog(page).getByRole('combobox')
const best = (page: Page) => dialog(page).getByRole('option').first()

test('a few letters and Enter open a channel, a direct message, or one with a new person', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
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
  await expect(bob.getByRole('navigation').getByText('Ada Lovelace')).toBeVisible()
  // The direct message is listed once, with and without a query.
  await ada.keyboard.press('ControlOrMeta+k')
  await expect(best(ada)).toBeVisible()
  await box(ada).fill(username)
  await expect(dialog(ada).getByRole('option')).toHaveCount(1)

  // The key that follows Enter may come before the browser does anything else.
  await box(ada).fill('lamp has:l')
  await expect(best(ada)).toContainText('Messages with a link')
  const left = await box(ada).evaluate(async (it: HTMLInputElement) => {
    it.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    await Promise.resolve()
    return it.value
  })
  expect(left).toBe('lamp ')
})

test('text in no name finds nothing; keys open and close the dialog, and the focus returns', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  await composer(ada).fill('kept')
  await ada.keyboard.press('ControlOrMeta+k')
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

test('on a phone it opens from the header, and it is accessible', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await ada.getByRole('button', { name: 'Search' }).tap()
  await box(ada).fill('gen')
  await expect(best(ada)).toContainText('general')
  await expectAccessible(ada)
  await best(ada).tap()
  await expect(dialog(ada)).toHaveCount(0)
})

test('a search that failed says so, and is logged as what failed', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const logged: string[] = []
  ada.on('console', (entry) => logged.push(entry.text()))
  await ada.route('**/api/search?*', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid', message: 'no' } } }),
  )
  await ada.keyboard.press('ControlOrMeta+k')
  await box(ada).fill(uniqueName('nowhere'))
  await expect(dialog(ada).getByRole('alert')).toContainText('The search failed.')
  await expect.poll(() => logged.filter((text) => text.includes('File search error:'))).not.toEqual([])
  await expect.poll(() => logged.filter((text) => text.startsWith('Search error:'))).not.toEqual([])
})
