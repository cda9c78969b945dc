import type { Page } from '@playwright/test'
import {
  callApi,
  composer,
  createChannel,
  expect,
  invite,
  message,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { messageId } from '../support/message-rows.ts'
import { nextFrame } from '../support/settled.ts'
import { row } from '../support/sidebar.ts'
import { panel, replyBox } from '../support/threads.ts'

/** Adds Bob to a channel that he views without being a member. */
async function addTo(ada: Page, bob: Page, id: string) {
  await invite(ada, bob, id)
  await expect(composer(bob)).toHaveCount(1)
  await nextFrame(bob)
}

/** Holds back the code of the thread panel, like a slow network, until the returned function is called. */
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

/** Opens a thread whose code is held back. */
async function openHeldThread(page: Page) {
  await message(page, 'a parent').hover()
  await message(page, 'a parent').getByRole('button', { name: 'Reply in thread' }).click()
}

/** Views a public channel without being a member. */
async function visit(page: Page, name: string) {
  await row(page, name).click()
  await expect(page.getByText("You're previewing")).toBeVisible()
}

test('while a thread loads, typed text goes into its reply box or the field that was chosen, never into another one', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('slow'))
  await sendMessages(ada, ['a parent'])
  await composer(ada).fill('half a thought')
  const thread = `${ada.url()}?thread=${await messageId(ada, 'a parent')}`

  await test.step('after a reload with an open thread', async () => {
    const release = await holdThread(ada)
    await ada.goto(thread)
    await expect(composer(ada)).toHaveValue('half a thought')
    await ada.keyboard.type('half an answer')
    release()
    await expect(replyBox(ada)).toBeFocused()
    await expect(composer(ada)).toHaveValue('half a thought')
    // No other element had the focus before, so it goes to the composer.
    await ada.keyboard.press('Escape')
    await expect(panel(ada)).toHaveCount(0)
    await expect(composer(ada)).toBeFocused()
  })

  await test.step('keys of an input method trigger nothing and do not send', async () => {
    const release = await holdThread(ada)
    await ada.reload()
    await expect(composer(ada)).toHaveValue('half a thought')
    await openHeldThread(ada)
    await composer(ada).dispatchEvent('keydown', { key: 'n', keyCode: 229, bubbles: true, cancelable: true })
    for (const how of [{ isComposing: true }, { keyCode: 229 }])
      await composer(ada).dispatchEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how })
    await ada.keyboard.type('half an ')
    release()
    await expect(replyBox(ada)).toHaveValue('half an ')
    await ada.keyboard.type('answer')
    await expect(replyBox(ada)).toHaveValue('half an answer')
    await replyBox(ada).dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true })
    await replyBox(ada).fill('')
    await expect(panel(ada)).toBeVisible()
    await expect(composer(ada)).toHaveValue('half a thought')
    await ada.keyboard.press('Escape')
    await expect(panel(ada)).toHaveCount(0)
    await composer(ada).fill('')
  })

  await test.step('another field was chosen', async () => {
    const release = await holdThread(ada)
    await ada.reload()
    await expect(composer(ada)).toBeVisible()
    await openHeldThread(ada)
    await composer(ada).click()
    await ada.keyboard.type('to the ')
    release()
    await expect(replyBox(ada)).toBeVisible()
    await ada.keyboard.type('channel')
    await expect(composer(ada)).toHaveValue('to the channel')
    await expect(replyBox(ada)).toHaveValue('')
  })
})

test('the composer of a channel takes the focus after Join channel, but not when one is added to it', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const names = ['searching', 'elsewhere', 'joined'].map(uniqueName) as [string, string, string]
  const ids: string[] = []
  for (const name of names) ids.push(await createChannel(ada, name))
  const hidden = await createChannel(ada, uniqueName('hidden'), { isPrivate: true })
  const search = bob.getByRole('combobox')
  const typeWhileAdded = async (id: string) => {
    await bob.keyboard.press('Control+k')
    await expect(search).toBeFocused()
    await bob.keyboard.type('half a')
    await addTo(ada, bob, id)
    await bob.keyboard.type(' secret')
    await expect(search).toHaveValue('half a secret')
    await bob.keyboard.press('Escape')
  }
  await visit(bob, names[0])
  await typeWhileAdded(ids[0] as string)

  await visit(bob, names[1])
  await row(bob, 'general').focus()
  await addTo(ada, bob, ids[1] as string)
  await expect(row(bob, 'general')).toBeFocused()

  // A missing channel appears.
  await bob.goto(`/channels/${hidden}`)
  await expect(bob.getByRole('heading', { name: 'Channel not found' })).toBeVisible()
  await typeWhileAdded(hidden)

  await visit(bob, names[2])
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(bob)).toBeFocused()
})

test('a composer that disappears in the middle of a text hands the focus to nothing that a key presses', {
  tag: '@long',
}, async ({ person }) => {
  const bob = await person('Bob Kahn')
  const id = await createChannel(bob, uniqueName('short.lived'))
  await bob.keyboard.type('half a thougth')
  // Neither a letter, nor input-method text.
  await bob.keyboard.press('Backspace')
  await callApi(bob, 'DELETE', `/api/channels/${id}`)
  await expect(composer(bob)).toHaveCount(0)
  const focused = bob.locator(':focus')
  await expect(focused).toHaveCount(1)
  await expect(focused).not.toHaveRole('button')
  await expect(focused).not.toHaveRole('link')
})
