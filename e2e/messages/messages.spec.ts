import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  say,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { chooseAction, clickAction, messageId, toast } from '../support/message-rows.ts'
import { createSharedChannel } from '../support/threads.ts'

const menu = (page: Page) => page.getByRole('menu', { name: 'Message actions' })
const deleted = (page: Page) => message(page, 'Message deleted')

test('a deleted message disappears, and returns with Undo; the channel’s owner can delete messages of others, members cannot', async ({
  person,
}) => {
  const bob = await person('Bob Kahn')
  const eve = await person('Eve Adams')
  await createSharedChannel(bob, eve)
  await say(bob, 'an announcement')
  await say(eve, 'an advertisement')
  await clickAction(eve, 'an announcement', 'More actions')
  await expect(menu(eve).getByRole('menuitem')).toHaveText([
    /^Add reaction/,
    /^Reply in thread/,
    /^Quote/,
    /^Forward/,
    /^Pin message/,
    /^Save for later/,
    /^Remind me/,
    /^Mark unread/,
    /^Read aloud/,
    'View profile',
    'Copy text',
    'Copy without formatting',
    'Copy link',
    'Report to admins',
  ])
  await expectAccessible(eve)
  await eve.keyboard.press('Escape')
  await expect(menu(eve)).toHaveCount(0)

  await chooseAction(bob, 'an announcement', 'Delete message')
  await expect(deleted(bob)).toBeVisible()
  await toast(bob, 'Message deleted').getByRole('button', { name: 'Undo' }).click()
  await expect(message(bob, 'an announcement')).toBeVisible()

  await clickAction(bob, 'an advertisement', 'More actions')
  await expect(menu(bob).locator('[role=separator] + [role=menuitem]')).toHaveText(/^Delete message/)
  await menu(bob).getByRole('menuitem', { name: 'Delete message' }).click()
  await expect(deleted(bob)).toBeVisible()
  await deleted(bob).hover()
  await expect(deleted(bob).getByRole('button')).toHaveText(['Eve Adams'])
  // Closing the page ends the undo period.
  await bob.close()
  await expect(deleted(eve)).toBeVisible()
  await eve.reload()
  await expect(deleted(eve)).toHaveCount(1)
  await expect(message(eve, 'an announcement')).toBeVisible()
})

test('the menu of a message closes when the message is deleted elsewhere, and the focus returns to where it was', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('fleeting'))
  await sendMessages(ada, ['to be deleted'])
  const id = await messageId(ada, 'to be deleted')
  await clickAction(ada, 'to be deleted', 'More actions')
  await expect(menu(ada)).toBeVisible()
  await callApi(ada, 'DELETE', `/api/messages/${id}`)
  await expect(menu(ada)).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()
})
