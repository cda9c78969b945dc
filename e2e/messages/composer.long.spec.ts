import type { Page } from '@playwright/test'
import { composer, expect, test, userOn } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'

const list = (page: Page) => page.getByRole('listbox')
const option = (page: Page, name: string | RegExp) => list(page).getByRole('option', { name })

test('a key chooses a suggestion as soon as it is there', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await composer(ada).evaluate((box) => {
    const pressTab = () =>
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }))
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[role=option]')) return
      observer.disconnect()
      pressTab()
    }).observe(document, { subtree: true, childList: true })
  })
  await composer(ada).pressSequentially('a :tad')
  await expect(composer(ada)).toHaveValue(/^a \p{Emoji_Presentation} /u)
})

test('on touch, Enter continues a list, and a tap chooses a suggestion', async ({ person }) => {
  const ada = await person('Ada Lovelace', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 500 } })
  await untilPreloaded(ada, 'preloaded')
  const her = await userOn(ada)
  const box = composer(ada)
  await box.tap()
  await ada.keyboard.type('1. one')
  await ada.keyboard.press('Enter')
  await ada.keyboard.type(`@${her.username.slice(0, -1)}`)
  await expect(option(ada, /Ada Lovelace/).last()).toBeInViewport({ ratio: 1 })
  const over = await list(ada).boundingBox()
  const field = await box.boundingBox()
  expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0)
  await option(ada, new RegExp(her.username)).tap()
  await expect(box).toHaveValue(`1. one\n2. @${her.username} `)
  await expect(box).toBeFocused()
})
