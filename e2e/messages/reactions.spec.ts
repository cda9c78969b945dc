import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'
import { clickAction, messageId, toast } from '../support/message-rows.ts'

const chip = (page: Page, text: string, emoji: string) =>
  message(page, text).getByRole('button', { name: new RegExp(`^${emoji}`) })
const chips = (page: Page, text: string) => message(page, text).locator('button[aria-pressed]')
const picker = (page: Page) => page.locator('em-emoji-picker')

test('two people add and remove the same reaction, and each sees it at once; a viewer cannot react', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const text = 'we are live'
  const id = await createChannel(ada, uniqueName('reactions'))
  await say(ada, text)
  await clickAction(ada, text, 'React with ✅')
  await expect(chips(ada, text)).toHaveText(['✅ 1'])
  await bob.goto(new URL(ada.url()).pathname)
  await expect(chip(bob, text, '✅ 1')).toBeDisabled()
  await message(bob, text).hover()
  await expect(message(bob, text).getByRole('button', { name: 'More actions' })).toBeVisible()
  await expect(message(bob, text).getByRole('button', { name: 'Add reaction' })).toHaveCount(0)
  const requests: string[] = []
  bob.on('request', (request) => request.url().includes('/reactions') && requests.push(request.method()))
  await chip(bob, text, '✅').click({ force: true })
  // The second click removes it.
  await clickAction(ada, text, 'React with ✅')
  await expect(chips(bob, text)).toHaveCount(0)
  expect(requests).toEqual([])

  await callApi(bob, 'POST', `/api/channels/${id}/join`)
  await expect(composer(bob)).toBeVisible()
  await composer(bob).focus()
  await clickAction(bob, text, 'Add reaction')
  await picker(bob).getByPlaceholder('Search').fill('rocket')
  await picker(bob).getByRole('option', { name: '🚀', exact: true }).click()
  await expect(chip(bob, text, '🚀 1')).toHaveAttribute('aria-pressed', 'true')
  await expect(picker(bob)).toHaveCount(0)
  await expect(composer(bob)).toBeFocused()
  await expect(chip(ada, text, '🚀 1')).toHaveAttribute('aria-pressed', 'false')
  await chip(ada, text, '🚀').click()
  for (const page of [ada, bob]) await expect(chip(page, text, '🚀 2')).toHaveAttribute('aria-pressed', 'true')
  await expect(chip(bob, text, '🚀')).toHaveAccessibleDescription('You and Ada Lovelace reacted with 🚀')
  await untilLateParts(ada)
  await composer(ada).hover()
  await chip(ada, text, '🚀').hover()
  await expect(ada.getByText('You and Bob Kahn reacted with 🚀')).toBeVisible()
  await expectAccessible(ada)

  await chip(bob, text, '🚀').click()
  await expect(chip(ada, text, '🚀 1')).toHaveAttribute('aria-pressed', 'true')
  // A rejected change is reverted, and the failure is shown once.
  await bob.route('**/reactions', (route) => route.abort())
  await chip(bob, text, '🚀').click()
  await expect(toast(bob, 'Couldn’t add reaction: no connection')).toHaveCount(1)
  await expect(chip(bob, text, '🚀 1')).toHaveAttribute('aria-pressed', 'false')
  await chip(ada, text, '🚀').click()
  await expect(chips(bob, text)).toHaveCount(0)
})

test('after a reaction the composer has the focus again, also if the button that opened the picker is gone', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('gone'))
  await say(ada, 'a message')
  const reactions = `/api/messages/${await messageId(ada, 'a message')}/reactions`
  await callApi(ada, 'POST', reactions, { emoji: '🚀' })
  await expect(chips(ada, 'a message')).toHaveText(['🚀 1'])
  await composer(ada).fill('half a th')
  await message(ada, 'a message').getByRole('button', { name: 'Add reaction' }).first().click()
  await picker(ada).getByPlaceholder('Search').fill('palm tree')
  const palm = picker(ada).getByRole('option', { name: '🌴', exact: true })
  await expect(palm).toBeVisible()
  await callApi(ada, 'DELETE', `${reactions}/${encodeURIComponent('🚀')}`)
  await expect(chips(ada, 'a message')).toHaveCount(0)
  await palm.click()
  await expect(composer(ada)).toBeFocused()
  await ada.keyboard.type('ou')
  await chip(ada, 'a message', '🌴').click()
  await ada.keyboard.type('ght')
  await expect(composer(ada)).toHaveValue('half a thought')
})
