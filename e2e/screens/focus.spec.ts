import type { Page } from '@playwright/test'
import {
  composer,
  createChannel,
  expect,
  type Fixtures,
  invite,
  message,
  say,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { row } from '../support/sidebar.ts'
import { openThread, panel, replyBox } from '../support/threads.ts'

/** Adds Bob to a channel that he views without being a member. */
async function addTo(ada: Page, bob: Page) {
  await invite(ada, bob)
  await expect(bob.getByPlaceholder('Type a message...')).toHaveCount(1)
  await bob.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Holds back the code of the thread panel, as a slow network does, until the returned function is called. */
async function holdThread(page: Page) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/preloaded-*.js', async (route) => {
    await held
    await route.continue()
  })
  return () => release()
}

/** Ada in a channel of hers with one message. */
async function withParent(person: Fixtures['person'], name: string) {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName(name))
  await say(ada, 'a parent')
  await expect(message(ada, 'a parent')).toBeVisible()
  return ada
}

/** Views a public channel without being a member. */
async function visit(page: Page, name: string) {
  await row(page, name).click()
  await expect(page.getByText("You're previewing")).toBeVisible()
}

test('the composer of a channel one is added to does not take the focus', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const names = [uniqueName('searching'), uniqueName('elsewhere')] as const
  await createChannel(ada, names[0])
  await visit(bob, names[0])
  await bob.keyboard.press('Control+k')
  const search = bob.getByRole('combobox')
  await expect(search).toBeFocused()
  await bob.keyboard.type('half a')
  await addTo(ada, bob)
  await bob.keyboard.type(' secret')
  await expect(search).toHaveValue('half a secret')
  await bob.keyboard.press('Escape')

  await createChannel(ada, names[1])
  await visit(bob, names[1])
  await row(bob, 'general').focus()
  await addTo(ada, bob)
  await expect(row(bob, 'general')).toBeFocused()
})

test('after Join channel the composer has the focus', async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const name = uniqueName('joined')
  await createChannel(ada, name)
  await row(bob, name).click()
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(bob)).toBeFocused()
})

test('while a thread loads, keys of an input method trigger nothing and do not send', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await withParent(person, 'composed')
  const release = await holdThread(ada)
  await ada.reload()
  await composer(ada).fill('half a thought')
  await message(ada, 'a parent').hover()
  await message(ada, 'a parent').getByRole('button', { name: 'Reply in thread' }).click()
  await composer(ada).dispatchEvent('keydown', { key: 'n', keyCode: 229, bubbles: true, cancelable: true })
  for (const how of [{ isComposing: true }, { keyCode: 229 }])
    await composer(ada).dispatchEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how })
  release()
  await expect(replyBox(ada)).toBeFocused()
  // Later keys go after the buffered ones, which have been inserted by now.
  await ada.keyboard.type('yes')
  await expect(replyBox(ada)).toHaveValue('yes')
  await replyBox(ada).dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true })
  await replyBox(ada).fill('')
  await expect(panel(ada)).toBeVisible()
  await expect(composer(ada)).toHaveValue('half a thought')
})

test('text typed into another field while a thread loads stays there', async ({ person }) => {
  const ada = await withParent(person, 'slow')
  const release = await holdThread(ada)
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await message(ada, 'a parent').hover()
  await message(ada, 'a parent').getByRole('button', { name: 'Reply in thread' }).click()
  await composer(ada).click()
  await ada.keyboard.type('to the ')
  release()
  await expect(replyBox(ada)).toBeVisible()
  await ada.keyboard.type('channel')
  await expect(composer(ada)).toHaveValue('to the channel')
  await expect(replyBox(ada)).toHaveValue('')
})

test('after a reload with an open thread, typed text never goes into the channel’s composer', async ({ person }) => {
  const ada = await withParent(person, 'again')
  await openThread(ada, 'a parent')
  const release = await holdThread(ada)
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await ada.keyboard.type('half an answer')
  release()
  await expect(replyBox(ada)).toBeFocused()
  await expect(composer(ada)).toHaveValue('')
  // No other element had the focus before, so it goes to the composer.
  await ada.keyboard.press('Escape')
  await expect(panel(ada)).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()
})

test('a missing channel that appears does not take the focus', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createChannel(ada, uniqueName('hidden'), { isPrivate: true })
  await bob.goto(new URL(ada.url()).pathname)
  await expect(bob.getByRole('heading', { name: 'Channel not found' })).toBeVisible()
  await bob.keyboard.press('Control+k')
  const search = bob.getByRole('combobox')
  await expect(search).toBeFocused()
  await bob.keyboard.type('half a')
  await addTo(ada, bob)
  await bob.keyboard.type(' secret')
  await expect(search).toHaveValue('half a secret')
})
