import type { Page } from '@playwright/test'
import {
  composer,
  createPrivateChannel,
  expect,
  message,
  messageTexts,
  openTab,
  say,
  storedTexts,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { openSettings } from '../support/settings.ts'
import { signOut, welcome } from '../support/signing-out.ts'

/** Turns the setting on for further pages of a browser, and reloads this one. */
async function holdMessages(page: Page) {
  await page.context().addInitScript(() => localStorage.setItem('parley.undoSend', 'on'))
  await page.reload()
  await expect(composer(page)).toBeVisible()
  await untilPreloaded(page, 'preloaded')
}

/** Writes a message and takes it back. Writes another one if a slow machine presses Undo too late. Returns its text. */
async function sayAndUndo(page: Page) {
  let text = ''
  await expect(async () => {
    text = uniqueName('regret')
    await say(page, text)
    await message(page, text).getByRole('button', { name: 'Undo' }).click({ timeout: 4000 })
    await expect(composer(page)).toHaveValue(text)
  }).toPass()
  return text
}

test('with "Undo send", a message can be taken back before anyone sees it, and is sent once otherwise', {
  tag: '@long',
}, async ({ person }) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Martin')]
  await createPrivateChannel(ada, bob, uniqueName('regrets'))
  const settings = await openSettings(ada, 'Appearance')
  await settings.getByRole('checkbox', { name: 'Undo send' }).check()
  await settings.getByRole('button', { name: 'Close' }).click()

  const text = await sayAndUndo(ada)
  await expect(composer(ada)).toBeFocused()
  await expect(message(ada, text)).toHaveCount(0)
  await ada.keyboard.type(' no more')
  await composer(ada).press('Enter')
  await expect(message(bob, `${text} no more`)).toBeVisible()
  await expect(message(ada, text).and(ada.locator('[data-message]'))).toHaveCount(1)
  await say(ada, 'in a hurry')
  await message(ada, 'in a hurry').getByRole('button', { name: 'Send now' }).click()
  await expect(message(bob, 'in a hurry')).toBeVisible()
  expect((await storedTexts(ada)).filter((stored) => stored.startsWith(text))).toEqual([`${text} no more`])
  await expect(message(bob, text)).toHaveCount(1)
})

test('a message that can still be taken back is sent when the page is left, and shown once afterwards', {
  tag: '@long',
}, async ({ person }) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Martin')]
  await createPrivateChannel(ada, bob, uniqueName('leaves'))
  await holdMessages(ada)
  const url = ada.url()
  await say(ada, 'my last words')
  await expect(message(ada, 'my last words')).toBeVisible()
  await ada.goto('about:blank')
  await expect(message(bob, 'my last words')).toBeVisible()

  await ada.goto(url)
  await expect(message(ada, 'my last words').and(ada.locator('[data-message]'))).toBeVisible()
  // It is sent after what the last page left.
  await say(ada, 'back again')
  await expect(message(bob, 'back again')).toBeVisible()
  for (const page of [ada, bob]) await expect.poll(() => messageTexts(page)).toEqual(['my last words', 'back again'])
})

test('in an empty composer, Ctrl+Z and Arrow up take back the last message only', { tag: '@long' }, async ({
  person,
}) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Martin')]
  await createPrivateChannel(ada, bob, uniqueName('second.thoughts'))
  await holdMessages(ada)
  await say(ada, 'first')
  await say(ada, 'second')
  await composer(ada).press('ControlOrMeta+z')
  await expect(composer(ada)).toHaveValue('second')
  await expect(message(ada, 'second')).toHaveCount(0)
  await composer(ada).clear()
  await say(ada, 'second again')
  await composer(ada).press('ArrowUp')
  await expect(composer(ada)).toHaveValue('second again')
  await expect(message(ada, 'second again')).toHaveCount(0)
  await expect(message(bob, 'first')).toBeVisible()
  await say(ada, 'third')
  await expect(message(bob, 'third')).toBeVisible()
  await expect.poll(() => messageTexts(bob)).toEqual(['first', 'third'])
})

test('a message that can still be taken back is sent by another tab if its own crashes, and before signing out', {
  tag: '@long',
}, async ({ person }) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Martin')]
  await createPrivateChannel(ada, bob, uniqueName('crashes'))
  await holdMessages(ada)
  const other = await openTab(ada)
  await say(ada, 'from the grave')
  await expect(message(other, 'from the grave')).toBeVisible()
  await expect(message(other, 'from the grave').getByRole('button', { name: 'Undo' })).toHaveCount(0)
  const died = new Promise((resolve) => ada.once('crash', resolve))
  const devtools = await ada.context().newCDPSession(ada)
  // The command never responds.
  void devtools.send('Page.crash').catch(() => {})
  await died
  await expect(message(bob, 'from the grave')).toBeVisible()
  await expect.poll(() => messageTexts(other)).toEqual(['from the grave'])

  await untilPreloaded(other, 'preloaded')
  await say(other, 'goodbye')
  await signOut(other)
  await expect(welcome(other)).toBeVisible()
  await expect.poll(() => messageTexts(bob)).toEqual(['from the grave', 'goodbye'])
})
