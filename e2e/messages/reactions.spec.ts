import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'
import { clickAction, messageId, toast } from '../support/message-rows.ts'
import { keepNothing } from '../support/settings.ts'
import { settled } from '../support/settled.ts'
import { createSharedChannel } from '../support/threads.ts'

const chip = (page: Page, text: string, emoji: string) =>
  message(page, text).getByRole('button', { name: new RegExp(`^${emoji}`) })
const chips = (page: Page, text: string) => message(page, text).locator('button[aria-pressed]')
const picker = (page: Page) => page.locator('em-emoji-picker')

async function react(page: Page, text: string, word: string, emoji: string) {
  await clickAction(page, text, 'Add reaction')
  await picker(page).getByPlaceholder('Search').fill(word)
  await picker(page).getByRole('option', { name: emoji, exact: true }).click()
}

test('two people add and remove the same reaction, and each sees it at once', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'we are live')
  await react(bob, 'we are live', 'rocket', '🚀')
  await expect(chip(bob, 'we are live', '🚀 1')).toHaveAttribute('aria-pressed', 'true')
  await expect(chip(ada, 'we are live', '🚀 1')).toHaveAttribute('aria-pressed', 'false')
  await expect(picker(bob)).toHaveCount(0)

  await chip(ada, 'we are live', '🚀').click()
  for (const page of [ada, bob]) {
    await expect(chip(page, 'we are live', '🚀 2')).toHaveAttribute('aria-pressed', 'true')
    expect((await chip(page, 'we are live', '🚀').boundingBox())?.height).toBe(24)
  }
  await untilLateParts(ada)
  await composer(ada).hover()
  await chip(ada, 'we are live', '🚀').hover()
  await expect(ada.getByText('You and Bob Kahn reacted with 🚀')).toBeVisible()
  await expect(chip(bob, 'we are live', '🚀')).toHaveAccessibleDescription('You and Ada Lovelace reacted with 🚀')

  // The picker also opens from the button beside existing reactions.
  await message(ada, 'we are live').getByRole('button', { name: 'Add reaction' }).first().click()
  await picker(ada).getByRole('option', { name: '👍' }).first().click()
  await expect(chip(bob, 'we are live', '👍 1')).toBeVisible()

  await chip(bob, 'we are live', '🚀').click()
  await expect(chip(ada, 'we are live', '🚀 1')).toHaveAttribute('aria-pressed', 'true')
  await chip(ada, 'we are live', '🚀').click()
  await expect(chip(bob, 'we are live', '🚀')).toHaveCount(0)
  await expect(chips(ada, 'we are live')).toHaveText(['👍 1'])
  await ada.reload()
  await expect(chips(ada, 'we are live')).toHaveText(['👍 1'])
})

test('a refused reaction is reverted, and the failure is shown once', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'not this one')
  const id = await messageId(ada, 'not this one')
  await callApi(bob, 'POST', `/api/messages/${id}/reactions`, { emoji: '👍' })
  await expect(chip(ada, 'not this one', '👍 1')).toBeVisible()

  let release = () => {}
  const pause = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/reactions', async (route) => {
    await pause
    await route.abort()
  })
  await chip(ada, 'not this one', '👍').click()
  await expect(chip(ada, 'not this one', '👍 2')).toHaveAttribute('aria-pressed', 'true')
  release()
  await expect(chip(ada, 'not this one', '👍 1')).toHaveAttribute('aria-pressed', 'false')
  await expect(toast(ada, 'Failed to add reaction: no connection')).toHaveCount(1)

  await ada.unroute('**/reactions')
  await ada.route('**/reactions', (route) =>
    route.fulfill({
      status: 409,
      json: { error: { code: 'too_many_reactions', message: 'A message can have up to 50 different reactions' } },
    }),
  )
  await chip(ada, 'not this one', '👍').click()
  await expect(toast(ada, 'Failed to add reaction: a message can have up to 50 different reactions')).toBeVisible()
  await ada.unroute('**/reactions')
  await chip(ada, 'not this one', '👍').click()
  await expect(chip(bob, 'not this one', '👍 2')).toBeVisible()
})

test('after quick clicks the last one counts, for me and for others', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'make up your mind')
  const id = await messageId(ada, 'make up your mind')
  await callApi(bob, 'POST', `/api/messages/${id}/reactions`, { emoji: '👍' })
  await expect(chip(ada, 'make up your mind', '👍 1')).toBeVisible()
  const requests: string[] = []
  let gate = Promise.withResolvers<void>()
  await ada.route(/\/reactions/, async (route) => {
    requests.push(route.request().method())
    await gate.promise
    await route.continue()
  })
  const click = () => chip(ada, 'make up your mind', '👍').click()
  await click()
  await click()
  await expect(chip(ada, 'make up your mind', '👍 1')).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => requests).toEqual(['POST'])
  gate.resolve()
  await expect.poll(() => requests).toEqual(['POST', 'DELETE'])
  await expect(chip(bob, 'make up your mind', '👍 1')).toBeVisible()

  await ada.clock.install()
  gate = Promise.withResolvers<void>()
  for (let i = 0; i < 3; i++) await click()
  gate.resolve()
  await expect(chip(bob, 'make up your mind', '👍 2')).toBeVisible()
  await ada.clock.runFor(5000)
  await expect(chip(ada, 'make up your mind', '👍 2')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => requests).toEqual(['POST', 'DELETE', 'POST'])
})

test('if more people reacted than are listed, the client asks the server whether I did', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('crowd'))
  await say(ada, 'everybody likes this')
  const id = await messageId(ada, 'everybody likes this')
  await callApi(ada, 'POST', `/api/messages/${id}/reactions`, { emoji: '👍' })
  // The response lists fifty others first; on the server, the user is among them.
  const crowd = Array.from({ length: 50 }, (_, i) => ({ id: `u${i}`, username: `u${i}`, name: `Person ${i}` }))
  await ada.route('**/api/messages/channel/**', async (route) => {
    const answer = await route.fetch()
    const [only] = await answer.json()
    const json = [{ ...only, reactions: { '👍': crowd }, reactionCounts: { '👍': 73 } }]
    await route.fulfill({ response: answer, json })
  })
  await ada.reload()
  await expect(chip(ada, 'everybody likes this', '👍 73')).toHaveAccessibleDescription(
    'Person 0, Person 1 and 71 others reacted with 👍',
  )
  const removal = ada.waitForRequest((request) => request.method() === 'DELETE')
  await chip(ada, 'everybody likes this', '👍').click()
  await removal
  await expect(chip(ada, 'everybody likes this', '👍')).toHaveCount(0)
})

test('a viewer who is no member sees reactions but cannot react', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const eve = await person('Eve Adams')
  await createChannel(ada, uniqueName('looking'))
  await say(ada, 'look but do not touch')
  const id = await messageId(ada, 'look but do not touch')
  await callApi(ada, 'POST', `/api/messages/${id}/reactions`, { emoji: '👀' })
  await eve.goto(new URL(ada.url()).pathname)
  await expect(chip(eve, 'look but', '👀 1')).toBeDisabled()
  await message(eve, 'look but').hover()
  await expect(message(eve, 'look but').getByRole('button', { name: 'Add reaction' })).toHaveCount(0)
  await expect(message(eve, 'look but').getByRole('button', { name: 'More actions' })).toBeVisible()
  const requests: string[] = []
  eve.on('request', (request) => {
    if (request.url().includes('/reactions')) requests.push(request.method())
  })
  await chip(eve, 'look but', '👀').click({ force: true })
  await callApi(ada, 'POST', `/api/messages/${id}/reactions`, { emoji: '🎉' })
  await expect(chip(eve, 'look but', '🎉 1')).toBeVisible()
  expect(requests).toEqual([])
  await expect(chip(ada, 'look but', '👀 1')).toBeVisible()
})

test('text typed while the emoji picker loads goes into its search', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('early'))
  await say(ada, 'first')
  await messageId(ada, 'first')
  let letCome = () => {}
  const typed = new Promise<void>((resolve) => {
    letCome = resolve
  })
  let requests = 0
  await ada.route('**/assets/emoji-popover-*.js', async (route) => {
    requests++
    await typed
    await route.continue()
  })
  await ada.getByRole('region', { name: 'Messages', exact: true }).focus()
  await ada.keyboard.press('ArrowUp')
  await expect(message(ada, 'first')).toBeFocused()
  await ada.keyboard.press('r')
  await expect.poll(() => requests).toBe(1)
  await ada.keyboard.type('palm')
  letCome()
  await expect(picker(ada).getByPlaceholder('Search')).toHaveValue('palm')
})

test('reacting works by keyboard: R, a word, Enter, and the focus returns to the row', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('keys'))
  await say(ada, 'first')
  await say(ada, 'second')
  await messageId(ada, 'second')
  await ada.getByRole('region', { name: 'Messages', exact: true }).focus()
  await ada.keyboard.press('ArrowUp')
  await expect(message(ada, 'second')).toBeFocused()
  await ada.keyboard.press('ArrowUp')
  await expect(message(ada, 'first')).toBeFocused()
  await ada.keyboard.press('r')
  await expect(picker(ada).getByPlaceholder('Search')).toBeFocused()
  await ada.keyboard.type('palm tree')
  await expect(picker(ada).getByRole('option')).toHaveCount(1)
  await ada.keyboard.press('Enter')
  await expect(chips(ada, 'first')).toHaveText(['🌴 1'])
  await expect(message(ada, 'first')).toBeFocused()
  await ada.keyboard.press('Tab')
  await ada.keyboard.press('Tab')
  await expect(message(ada, 'first').getByRole('button', { name: 'Add reaction' }).first()).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(picker(ada).getByPlaceholder('Search')).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(message(ada, 'first').getByRole('button', { name: 'Add reaction' }).first()).toBeFocused()
  // In a text field, the shortcut is only a letter.
  await composer(ada).fill('r')
  await expect(picker(ada)).toHaveCount(0)
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

test('a reaction re-renders only its own row', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  for (const text of ['one', 'two', 'three', 'four']) await say(ada, text)
  await expect(message(bob, 'four')).toBeVisible()
  await untilLateParts(bob)
  await settled(bob)
  await bob.evaluate(() => {
    const changed = new Set<string>()
    const list = document.querySelector('[aria-label=Messages]') as HTMLElement
    new MutationObserver((all) => {
      for (const { target } of all) {
        const row = (target instanceof Element ? target : target.parentElement)?.closest('article')
        if (row) changed.add(row.querySelector('.prose')?.textContent ?? '')
      }
    }).observe(list, { subtree: true, childList: true, attributes: true, characterData: true })
    Object.assign(window, { changed })
  })
  const id = await messageId(ada, 'two')
  for (const emoji of ['👍', '🎉', '🚀']) await callApi(ada, 'POST', `/api/messages/${id}/reactions`, { emoji })
  await expect(chips(bob, 'two')).toHaveCount(3)
  expect(await bob.evaluate(() => [...(window as unknown as { changed: Set<string> }).changed])).toEqual(['two'])
})

test('the toolbar, the chips and their tooltips are accessible', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('everyone'))
  await say(ada, 'a message')
  await react(ada, 'a message', 'rocket', '🚀')
  await untilLateParts(ada)
  await composer(ada).hover()
  await chip(ada, 'a message', '🚀').hover()
  await expect(ada.getByText('You reacted with 🚀')).toBeVisible()
  await expectAccessible(ada)
})
