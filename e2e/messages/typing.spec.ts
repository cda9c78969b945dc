import type { Page } from '@playwright/test'
import { composer, expect, test } from '../support/fixtures.ts'
import { createSharedChannel } from '../support/threads.ts'

const line = (page: Page) => page.getByText(/ (is|are) typing$/)

/** Lets people type until it is shown: each sign lasts five seconds, so on a slow machine they type again. */
const untilShown = (page: Page, text: string, ...others: Page[]) =>
  expect(async () => {
    for (const other of others) await composer(other).pressSequentially('w')
    await expect(line(page)).toHaveText(text, { timeout: 2000 })
  }).toPass()

test('who types is shown by name, to others only', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const mei = await person('Mei Lin')
  await createSharedChannel(ada, mei)
  await untilShown(ada, 'Mei Lin is typing', mei)
  await expect(line(mei)).toHaveCount(0)
})

test('two people who type are named, and of several it is only said that they do', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const others = [await person('Mei Lin'), await person('Bob Kahn'), await person('Eve Adams')] as const
  await createSharedChannel(ada, ...others)
  const before = await composer(ada).boundingBox()
  await untilShown(ada, 'Mei Lin is typing', others[0])
  await untilShown(ada, 'Mei Lin and Bob Kahn are typing', others[0], others[1])
  await untilShown(ada, 'Several people are typing', ...others)
  // Screen readers announce it once.
  await expect(ada.getByText('Mei Lin started typing')).toHaveAttribute('aria-live', 'polite')
  await expect(ada.getByText('Bob Kahn started typing')).toHaveCount(0)
  await expect.poll(() => composer(ada).boundingBox()).toEqual(before)
})
