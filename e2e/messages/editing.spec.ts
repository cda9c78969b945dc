import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, expect, message, say, sendMessages, test } from '../support/fixtures.ts'
import { clickAction, messageId } from '../support/message-rows.ts'
import { createSharedChannel, inThread, openThread, panel, reply, replyBox } from '../support/threads.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })
const button = (page: Page, name: string) => page.getByRole('article').getByRole('button', { name, exact: true })
const list = (page: Page) => page.getByRole('listbox')
const chosen = (page: Page) => list(page).getByRole('option', { selected: true })

test('an edit shows at once to others with its time, and the focus returns to the composer', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'a thougt')
  await expect(message(bob, 'a thougt')).toBeVisible()
  await composer(ada).fill('meanwhile')
  await clickAction(ada, 'a thougt', 'Edit message')
  await expect(box(ada)).toBeFocused()
  await expect(box(ada)).toHaveValue('a thougt')
  await box(ada).fill('a thought')
  await box(ada).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await box(ada).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  // Safari sends the Escape that ends a composition after the composition has ended.
  await box(ada).dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true })
  await box(ada).press('End')
  await box(ada).press('Shift+Enter')
  await ada.keyboard.type('in two lines')
  await expect(box(ada)).toHaveValue('a thought\nin two lines')
  await box(ada).press('Enter')
  await expect(box(ada)).toHaveCount(0)
  for (const page of [ada, bob]) {
    await expect(message(page, 'a thought')).toContainText('in two lines')
    await expect(message(page, 'a thought').getByText('edited')).toHaveAttribute('title', /^Edited .*\d{4} at \d/)
  }
  await expect(composer(ada)).toBeFocused()
  await expect(composer(ada)).toHaveValue('meanwhile')

  await message(bob, 'a thought').hover()
  await expect(message(bob, 'a thought').getByRole('button', { name: 'Reply in thread' })).toBeVisible()
  await expect(message(bob, 'a thought').getByRole('button', { name: 'Edit message' })).toHaveCount(0)
})

test('ArrowUp in an empty composer edits my last message and scrolls to it; suggestions work there too', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  await createSharedChannel(ada, bob)
  await say(ada, 'mine to change')
  await messageId(ada, 'mine to change')
  await sendMessages(
    bob,
    Array.from({ length: 30 }, (_, nth) => `line ${nth}`),
    ada.url(),
  )
  await expect(message(ada, 'line 29')).toBeVisible()
  await composer(ada).fill('x')
  await composer(ada).press('ArrowUp')
  await expect(box(ada)).toHaveCount(0)
  await composer(ada).fill('')
  await composer(ada).press('ArrowUp')
  await expect(box(ada)).toBeFocused()
  await expect(box(ada)).toBeInViewport()
  await ada.keyboard.type(' @bob')
  await expect(chosen(ada)).toContainText('Bob Kahn')
  await ada.keyboard.press('Escape')
  await expect(list(ada)).toHaveCount(0)
  await expect(box(ada)).toHaveValue('mine to change @bob')
  await ada.keyboard.press('Escape')
  await expect(box(ada)).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()

  await ada.getByRole('button', { name: 'Jump to latest' }).click()
  await openThread(ada, 'line 29')
  await reply(ada, 'a reply')
  await messageId(ada, 'a reply')
  await replyBox(ada).press('ArrowUp')
  await expect(box(ada)).toHaveValue('a reply')
  await ada.keyboard.type(' :tad')
  await expect(chosen(ada)).toContainText(':tada:')
  await ada.keyboard.press('Tab')
  await ada.keyboard.press('Enter')
  await expect(inThread(ada, 'a reply 🎉')).toBeVisible()
  await replyBox(ada).pressSequentially('@bo')
  await expect(chosen(ada)).toContainText('Bob Kahn')
  await replyBox(ada).press('Escape')
  await expect(panel(ada)).toBeVisible()
  await expect(list(ada)).toHaveCount(0)
})

test('an edit that cannot be saved stays open with the reason', { tag: '@long' }, async ({ person }) => {
  const bob = await person('Bob Kahn')
  await createSharedChannel(bob)
  await say(bob, 'mine to change')
  const id = await messageId(bob, 'mine to change')
  await clickAction(bob, 'mine to change', 'Edit message')
  const refusedWith = async (text: string, reason: string) => {
    await box(bob).fill(text)
    await button(bob, 'Save').click()
    await expect(bob.getByRole('article').getByRole('alert')).toHaveText(reason)
    await expect(box(bob)).toHaveValue(text)
  }
  await refusedWith('  \n ', "Messages can't be empty. Delete it instead?")
  await expectAccessible(bob)

  await box(bob).fill('x'.repeat(10_001))
  await expect(bob.getByRole('article').getByRole('alert')).toHaveText('Too long by 1 character')
  await expect(button(bob, 'Save')).toBeDisabled()

  await bob.context().setOffline(true)
  await refusedWith('written in the dark', 'Couldn’t edit message: no connection')
  await bob.context().setOffline(false)
  await button(bob, 'Save').click()
  await expect(message(bob, 'written in the dark')).toContainText('edited')

  await clickAction(bob, 'written in the dark', 'Edit message')
  await box(bob).fill('too late')
  await callApi(bob, 'DELETE', `/api/messages/${id}`)
  await expect(bob.getByRole('article').getByRole('alert')).toHaveText(/^This message was deleted/)
  await expect(button(bob, 'Save')).toBeDisabled()
  await expect(box(bob)).toHaveValue('too late')
  await box(bob).press('Escape')
  await expect(message(bob, 'Message deleted')).toBeVisible()
})
