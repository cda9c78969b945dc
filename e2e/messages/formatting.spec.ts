import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { messageId } from '../support/message-rows.ts'

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Formatting' })
const button = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const aa = (page: Page) => page.getByRole('button', { name: 'Formatting', exact: true })

/** Selects a piece of the composer's text. */
const select = (page: Page, piece: string) =>
  composer(page).evaluate((field: HTMLTextAreaElement, words) => {
    const from = field.value.indexOf(words)
    field.focus()
    field.setSelectionRange(from, from + words.length)
  }, piece)

const selected = (page: Page) =>
  composer(page).evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd))

test('formatting buttons act on the selection, in one step of undo; the device remembers them', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('styled'))
  await expect(bar(ada)).toHaveCount(0)
  await aa(ada).click()
  await expect(composer(ada)).toBeFocused()
  await expect(aa(ada)).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(ada, 'formatting buttons')

  for (const [name, expected, still] of [
    ['Bold', 'one **two** three', 'two'],
    ['Italic', 'one *two* three', 'two'],
    ['Strikethrough', 'one ~~two~~ three', 'two'],
    ['Link', 'one [two]() three', ''],
    ['Bulleted list', '- one two three', '- one two three'],
    ['Numbered list', '1. one two three', '1. one two three'],
    ['Quote', '> one two three', '> one two three'],
    ['Code', 'one `two` three', 'two'],
    ['Code block', 'one \n```\ntwo\n```\n three', 'two'],
  ] as const) {
    await composer(ada).fill('one two three')
    await select(ada, 'two')
    await button(ada, name).click()
    await expect(composer(ada)).toHaveValue(expected)
    expect(await selected(ada)).toBe(still)
    await expect(composer(ada)).toBeFocused()
    await ada.keyboard.press('ControlOrMeta+z')
    await expect(composer(ada)).toHaveValue('one two three')
  }

  // One stop for Tab; arrows move between the buttons.
  await composer(ada).fill('words')
  await select(ada, 'words')
  await ada.keyboard.press('Shift+Tab')
  await expect(bar(ada).locator(':focus')).toHaveCount(1)
  await ada.keyboard.press('Home')
  await ada.keyboard.press('ArrowRight')
  await expect(button(ada, 'Italic')).toBeFocused()
  await ada.keyboard.press('Enter')
  await expect(composer(ada)).toHaveValue('*words*')
  await composer(ada).fill('')

  await say(ada, 'to be edited')
  await messageId(ada, 'to be edited')
  await ada.reload()
  await expect(bar(ada)).toBeVisible()
  await messageId(ada, 'to be edited')
  await composer(ada).press('ArrowUp')
  const edit = ada.getByRole('textbox', { name: 'Edit message' })
  await expect(edit).toBeFocused()
  await edit.press('ControlOrMeta+a')
  const inRow = ada.getByRole('article').filter({ has: edit })
  await inRow.getByRole('button', { name: 'Strikethrough' }).click()
  await expect(edit).toHaveValue('~~to be edited~~')
  await edit.press('ControlOrMeta+Shift+x')
  await expect(bar(ada)).toHaveCount(0)
  await edit.press('Enter')
  await expect(message(ada, 'to be edited').locator('del')).toBeVisible()
})

test('the key for a new line is named until it was used three times', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const hint = ada.getByText('Shift+Enter for a new line')
  await composer(ada).fill('a')
  await expect(hint).toHaveCount(0)
  await composer(ada).fill('ab')
  await expect(hint).toBeVisible()
  for (const lines of [1, 2, 3]) {
    await expect(hint).toBeVisible()
    await composer(ada).press('Shift+Enter')
    await expect(composer(ada)).toHaveValue(`ab${'\n'.repeat(lines)}`)
  }
  await expect(hint).toHaveCount(0)
  await ada.reload()
  await composer(ada).fill('abc')
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await expect(hint).toHaveCount(0)
})

test('on a phone an empty composer is one row, and the keyboard stays while one formats', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
  await createChannel(ada, uniqueName('pocket'))
  const card = ada.locator('.composer-card')
  const height = async () => (await card.boundingBox())?.height
  await expect.poll(height).toBe(48)
  await expect(ada.getByRole('button', { name: 'Attach files' })).toBeVisible()
  await expect(aa(ada)).toBeHidden()
  await expectAccessible(ada, 'a composer at rest')

  await composer(ada).tap()
  await expect(aa(ada)).toBeVisible()
  await aa(ada).tap()
  await button(ada, 'Bold').tap()
  await expect(composer(ada)).toBeFocused()
  await ada.keyboard.type('loud')
  await expect(composer(ada)).toHaveValue('**loud**')
  // The last button is not cut off.
  const box = await card.boundingBox()
  const last = await button(ada, 'Code block').boundingBox()
  expect((last?.x ?? 0) + (last?.width ?? 999)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0))
  await ada.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect(message(ada, 'loud')).toBeVisible()
  await expect(composer(ada)).toBeFocused()
  await composer(ada).blur()
  await expect.poll(height).toBe(48)
  await composer(ada).fill('unsent')
  await composer(ada).blur()
  await expect(aa(ada)).toBeVisible()
})
