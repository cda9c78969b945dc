import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { messageId } from '../support/message-rows.ts'
import { conversation } from '../support/threads.ts'

test('keys react to the focused message, edit it and delete it, and the focus stays in its row', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('keys'))
  await say(ada, 'first')
  await say(ada, 'second')
  // Only stored messages have actions.
  await messageId(ada, 'second')
  const picker = ada.locator('em-emoji-picker')
  const { promise: typed, resolve: letCome } = Promise.withResolvers<void>()
  const requested = ada.waitForRequest('**/assets/emoji-popover-*.js')
  await ada.route('**/assets/emoji-popover-*.js', async (route) => {
    await typed
    await route.continue()
  })
  await conversation(ada).focus()
  await ada.keyboard.press('ArrowUp')
  await expect(message(ada, 'second')).toBeFocused()
  await ada.keyboard.press('ArrowUp')
  const row = message(ada, 'first')
  await expect(row).toBeFocused()

  // Text typed while the picker loads goes into its search.
  await ada.keyboard.press('r')
  await requested
  await ada.keyboard.type('palm')
  letCome()
  await expect(picker.getByPlaceholder('Search')).toHaveValue('palm')
  await expect(picker.getByPlaceholder('Search')).toBeFocused()
  await ada.keyboard.type(' tree')
  await expect(picker.getByRole('option')).toHaveCount(1)
  await ada.keyboard.press('Enter')
  await expect(row.locator('button[aria-pressed]')).toHaveText(['🌴 1'])
  await expect(row).toBeFocused()
  await ada.keyboard.press('Tab')
  await ada.keyboard.press('Tab')
  const add = row.getByRole('button', { name: 'Add reaction' }).first()
  await expect(add).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(picker.getByPlaceholder('Search')).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(add).toBeFocused()
  // As it goes, it gives the focus back.
  await expect(picker).toHaveCount(0)

  await row.focus()
  await ada.keyboard.press('e')
  await expect(ada.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
  await ada.keyboard.type(' of all')
  await ada.keyboard.press('Enter')
  await expect(message(ada, 'first of all')).toBeFocused()
  await ada.keyboard.press('e')
  await ada.keyboard.press('Escape')
  await expect(message(ada, 'first of all')).toBeFocused()
  await ada.keyboard.press('Backspace')
  await expect(message(ada, 'Message deleted')).toBeFocused()
  // In a text field, the keys are only letters.
  await composer(ada).fill('r')
  await expect(picker).toHaveCount(0)
})
