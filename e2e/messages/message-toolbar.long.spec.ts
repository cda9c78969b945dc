import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { clickAction } from '../support/message-rows.ts'
import { createSharedChannel, openThread, panel, reply } from '../support/threads.ts'

test('the toolbar covers neither the time nor the button of code, and the picker opens where there is room', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 1440, height: 700 } })
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
  // It hides while suggestions are open.
  await composer(ada).fill('@')
  await expect(ada.getByRole('listbox')).toBeVisible()
  await expect(more('npm start')).toBeHidden()
  await composer(ada).fill('')
  await expect(more('npm start')).toBeVisible()

  // There is no space above the first message.
  await composer(ada).fill('a\n'.repeat(12))
  await clickAction(ada, 'first of all', 'Add reaction')
  await expect(async () => {
    const picker = await ada.locator('em-emoji-picker').boundingBox()
    const button = await stored('first of all').getByRole('button', { name: 'Add reaction' }).boundingBox()
    const words = await stored('first of all').locator('.prose').boundingBox()
    expect((picker?.x ?? 0) + (picker?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
    expect(picker?.x).toBeGreaterThan((words?.x ?? 0) + 60)
  }).toPass()
  await ada.keyboard.press('Escape')
  await composer(ada).fill('')

  await ada.setViewportSize({ width: 320, height: 800 })
  await stored('first of all').hover()
  await expect(more('first of all')).toBeVisible()
  const time = await stored('first of all').locator('time').boundingBox()
  expect(await bottomOf('first of all')).toBeLessThanOrEqual(time?.y ?? 0)
})

test('in a narrow window the toolbar leaves the thread above visible, and the picker covers no author', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 800 } })
  await createSharedChannel(ada)
  await say(ada, 'where to meet')
  await say(ada, 'bring a coat')
  await ada.setViewportSize({ width: 1440, height: 800 })
  await openThread(ada, 'where to meet')
  await reply(ada, 'at the harbour')
  await panel(ada).getByRole('button', { name: 'Close thread' }).click()
  await clickAction(ada, 'bring a coat', 'React with 👍')

  const stored = message(ada, 'bring a coat').and(ada.locator('[data-message]'))
  await stored.getByRole('button', { name: 'Add reaction' }).last().click()
  await expect(async () => {
    const picker = await ada.locator('em-emoji-picker').boundingBox()
    const author = await message(ada, 'where to meet').locator('[data-person] bdi').first().boundingBox()
    expect(picker?.x).toBeGreaterThanOrEqual((author?.x ?? 0) + (author?.width ?? Number.POSITIVE_INFINITY))
  }).toPass()
  await ada.keyboard.press('Escape')
  await expect(ada.locator('em-emoji-picker')).toHaveCount(0)

  await ada.setViewportSize({ width: 390, height: 800 })
  await stored.locator('.prose').hover()
  await expect(async () => {
    const line = await ada.locator('[data-thread-line]').boundingBox()
    const tools = await stored.getByRole('button', { name: 'More actions' }).boundingBox()
    expect(tools?.y).toBeGreaterThanOrEqual((line?.y ?? 0) + (line?.height ?? Number.POSITIVE_INFINITY))
  }).toPass()
})
