import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { clickAction, toast } from '../support/message-rows.ts'
import { createSharedChannel } from '../support/threads.ts'

/** The picture of an emoji, as its name is read. */
const sign = (page: Page, text: string, name: string) =>
  message(page, text)
    .locator('.custom-emoji')
    .filter({ hasText: `:${name}:` })
    .locator('img')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Emoji of this workspace' })

const picture = (background = '#22aa66') =>
  sharp({ create: { width: 90, height: 90, channels: 3, background } })
    .png()
    .toBuffer()

/** A name that no other test takes, because all share a workspace. */
const emojiName = (name: string) => uniqueName(name).replace(/[^a-z0-9]/g, '_')

async function openDialog(page: Page) {
  await page.getByRole('button', { name: /^Parley/ }).click()
  await page.getByRole('menuitem', { name: 'Emoji', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
}

async function addByApi(page: Page, name: string) {
  const bytes = [...(await picture())]
  await page.evaluate(
    async ([name, bytes]) => {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(bytes)]), 'emoji.png')
      const { token } = await (await fetch('/api/auth/token')).json()
      const headers = { authorization: `Bearer ${token}` }
      await fetch(`/api/emoji/${name}`, { method: 'POST', headers, body: form })
    },
    [name, bytes] as const,
  )
}

test('an emoji is added with a picture, used in a text and as a reaction, and removed', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  const name = emojiName('parrot')
  await openDialog(ada)
  await dialog(ada)
    .getByLabel('Picture of the emoji')
    .setInputFiles({ name: 'Not a picture.png', mimeType: 'image/png', buffer: Buffer.from('nothing') })
  await expect(dialog(ada).getByLabel('Name')).toHaveValue('not_a_picture')
  await dialog(ada).getByRole('button', { name: 'Add emoji' }).click()
  await expect(dialog(ada).getByRole('alert')).toContainText('picture')
  await dialog(ada)
    .getByLabel('Picture of the emoji')
    .setInputFiles({ name: 'parrot.png', mimeType: 'image/png', buffer: await picture() })
  await dialog(ada).getByLabel('Name').fill('smile')
  await dialog(ada).getByRole('button', { name: 'Add emoji' }).click()
  await expect(dialog(ada).getByRole('alert')).toContainText('A standard emoji has this name')
  await dialog(ada).getByLabel('Name').fill(name)
  await dialog(ada).getByLabel('Name').press('Enter')
  await expect(
    dialog(ada)
      .getByRole('listitem')
      .filter({ hasText: `:${name}:` }),
  ).toContainText('Added by Ada Lovelace')
  await expectAccessible(ada, 'emoji dialog')
  await ada.keyboard.press('Escape')

  await say(ada, `well done :${name}: all`)
  await expect(sign(bob, 'well done', name)).toHaveJSProperty('complete', true)
  expect(await sign(bob, 'well done', name).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(90)

  await clickAction(bob, 'well done', 'Add reaction')
  const picker = bob.locator('em-emoji-picker')
  await picker.getByPlaceholder('Search').fill(name)
  await picker.getByRole('option').first().click()
  const chip = message(ada, 'well done').locator('button[aria-pressed]')
  await expect(chip.locator('.custom-emoji')).toHaveText(`:${name}:`)
  await chip.click()
  await expect(chip).toContainText('2')
  await bob.reload()
  await expect(sign(bob, 'well done', name).first()).toBeVisible()

  await composer(bob).fill(`again :${name.slice(0, 6)}`)
  await bob.getByRole('option', { name: `:${name}:` }).click()
  await expect(composer(bob)).toHaveValue(new RegExp(`again :${name}: ?`))

  // An open picker keeps what is typed when somebody adds another one.
  await clickAction(bob, 'well done', 'Add reaction')
  await picker.getByPlaceholder('Search').fill('rock')
  const reloaded = bob.waitForResponse(/\/api\/emoji$/)
  await addByApi(ada, emojiName('another'))
  await reloaded
  await expect(picker.getByPlaceholder('Search')).toHaveValue('rock')
  await bob.keyboard.press('Escape')
  await bob.keyboard.press('Escape')

  await openDialog(ada)
  await dialog(ada)
    .getByRole('button', { name: `Remove :${name}:` })
    .click()
  await ada.getByRole('dialog', { name: 'Remove emoji' }).getByRole('button', { name: 'Remove emoji' }).click()
  await expect(
    dialog(ada)
      .getByRole('listitem')
      .filter({ hasText: `:${name}:` }),
  ).toHaveCount(0)
  await expect(message(bob, 'well done').locator('.custom-emoji')).toHaveCount(0)
  await expect(message(bob, 'well done')).toContainText(`well done :${name}: all`)
})

test('an emoji has further names, is a status, and is found in the picker by each name', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const [name, other] = [emojiName('ship'), emojiName('launch')]
  await addByApi(ada, name)
  await openDialog(ada)
  const row = dialog(ada)
    .getByRole('listitem')
    .filter({ hasText: `:${name}:` })
  await row.getByRole('button', { name: `Another name for :${name}:` }).click()
  await ada
    .getByRole('dialog', { name: `Another name for :${name}:` })
    .getByLabel('Name')
    .fill(other)
  await ada.keyboard.press('Enter')
  await expect(row).toContainText(`:${other}:`)
  await ada.keyboard.press('Escape')
  await expect(dialog(ada)).toHaveCount(0)

  await callApi(bob, 'PUT', '/api/users/status', { user_status: `:${other}:`, text: 'Shipping' })
  const channelId = await createSharedChannel(ada)
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  await callApi(bob, 'POST', '/api/messages', { channelId, content: 'on it' })
  await expect(message(ada, 'on it').locator('.custom-emoji')).toHaveText(`:${name}:`)

  await ada.getByRole('button', { name: 'Add emoji' }).click()
  const picker = ada.locator('em-emoji-picker')
  await picker.getByPlaceholder('Search').fill(other)
  await picker.getByRole('option').first().click()
  await expect(composer(ada)).toHaveValue(new RegExp(`:${name}:`))
  await composer(ada).press('Enter')
  // A message of nothing else is large.
  await expect(message(ada, `:${name}:`).locator('.prose.emoji .custom-emoji').last()).toBeVisible()
  await expect(toast(ada, 'failed')).toHaveCount(0)
})
