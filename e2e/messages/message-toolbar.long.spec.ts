import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { chooseAction, clickAction } from '../support/message-rows.ts'
import { createSharedChannel } from '../support/threads.ts'

test('one click in the toolbar adds one of the three emoji that I use most', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'ready to ship')
  const row = message(bob, 'ready to ship').and(bob.locator('[data-message]'))
  const toolbar = row.getByRole('button', { name: 'React with' })
  await row.hover()
  await expect(toolbar.nth(0)).toHaveAccessibleName('React with 👍')
  await expect(toolbar.nth(1)).toHaveAccessibleName('React with ✅')
  await expect(toolbar.nth(2)).toHaveAccessibleName('React with 😂')
  await clickAction(bob, 'ready to ship', 'React with ✅')
  await expect(message(ada, 'ready to ship').getByRole('button', { name: /^✅ 1/ })).toBeVisible()
  // The second click takes it back.
  await clickAction(bob, 'ready to ship', 'React with ✅')
  await expect(message(ada, 'ready to ship').getByRole('button', { name: /^✅/ })).toHaveCount(0)

  // The menu offers the picker too; what is picked there counts.
  for (const emoji of ['🚀', '🎉']) {
    await chooseAction(bob, 'ready to ship', 'Add reaction')
    const picker = bob.locator('em-emoji-picker')
    await picker.getByPlaceholder('Search').fill(emoji === '🚀' ? 'rocket' : 'tada')
    await picker.getByRole('option', { name: emoji, exact: true }).click()
    await expect(row.getByRole('button', { name: new RegExp(`^${emoji} 1`) })).toBeVisible()
  }
  await bob.reload()
  await row.hover()
  for (const emoji of ['✅', '🚀', '🎉'])
    await expect(row.getByRole('button', { name: `React with ${emoji}` })).toBeVisible()
  await expect(row.getByRole('button', { name: 'React with 👍' })).toHaveCount(0)
})

test('where there is no room above a message, the emoji picker opens beside its button', async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 1440, height: 700 } })
  await createChannel(ada, uniqueName('top'))
  await say(ada, 'short')
  await expect(message(ada, 'short').and(ada.locator('[data-message]'))).toBeVisible()
  await composer(ada).fill('a\n'.repeat(12))
  await clickAction(ada, 'short', 'Add reaction')
  // It is placed after it has loaded.
  await expect(async () => {
    const picker = await ada.locator('em-emoji-picker').boundingBox()
    const button = await message(ada, 'short').getByRole('button', { name: 'Add reaction' }).boundingBox()
    const words = await message(ada, 'short').locator('.prose').boundingBox()
    expect((picker?.x ?? 0) + (picker?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
    expect(picker?.x).toBeGreaterThan((words?.x ?? 0) + 60)
  }).toPass()
})

test('the toolbar covers neither the time nor the button of code, and hides while suggestions are open', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('covered'))
  await say(ada, 'first of all')
  await say(ada, '```\nnpm start\n```')
  const more = (text: string) => stored(text).getByRole('button', { name: 'More actions' })
  const stored = (text: string) => message(ada, text).and(ada.locator('[data-message]'))
  await stored('npm start').hover()
  await expect(more('npm start')).toBeVisible()
  const bottomOf = async (text: string) => {
    const box = await more(text).boundingBox()
    return (box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)
  }
  const copy = await stored('npm start').getByRole('button', { name: 'Copy code' }).boundingBox()
  expect(await bottomOf('npm start')).toBeLessThanOrEqual(copy?.y ?? 0)
  await composer(ada).fill('@')
  await expect(ada.getByRole('listbox')).toBeVisible()
  await expect(more('npm start')).toBeHidden()
  await composer(ada).fill('')
  await expect(more('npm start')).toBeVisible()

  await ada.setViewportSize({ width: 320, height: 800 })
  await stored('first of all').hover()
  await expect(more('first of all')).toBeVisible()
  const time = await stored('first of all').locator('time').boundingBox()
  expect(await bottomOf('first of all')).toBeLessThanOrEqual(time?.y ?? 0)
})
