import type { Page } from '@playwright/test'
import { stopClock } from '../support/clock.ts'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { leave, nextUpgrade } from '../support/live.ts'
import { createSharedChannel, openThread, panel, replyBox } from '../support/threads.ts'

const line = (page: Page) => page.getByText(/ (is|are) typing$/)

/** Stops the page's clock, so that no timeout passes by itself. It advances only 20 ms with each poll. */
async function freeze(page: Page) {
  await page.clock.install()
  await stopClock(page)
  return (check: () => Promise<unknown>) =>
    expect(async () => {
      await page.clock.runFor(20)
      await check()
    }).toPass()
}

test('typing users are shown, one or two by name, until they are done', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const mei = await person('Mei Lin')
  const bob = await person('Bob Kahn')
  const eve = await person('Eve Adams')
  await createSharedChannel(ada, mei, bob, eve)
  const before = await composer(ada).boundingBox()
  // Each indicator lasts five seconds, so on a slow machine they type again.
  const show = async (text: string, ...others: Page[]) =>
    expect(async () => {
      for (const page of others) await composer(page).pressSequentially('w')
      await expect(line(ada)).toHaveText(text, { timeout: 2000 })
    }).toPass()
  await show('Mei Lin is typing', mei)
  await show('Mei Lin and Bob Kahn are typing', mei, bob)
  await show('Several people are typing', mei, bob, eve)
  // Screen readers announce it once.
  await expect(ada.getByText('Mei Lin started typing')).toHaveAttribute('aria-live', 'polite')
  await expect(ada.getByText('Bob Kahn started typing')).toHaveCount(0)
  await expect.poll(() => composer(ada).boundingBox()).toEqual(before)
  await expect(line(mei)).not.toContainText('Mei')
  await expect(line(ada)).toHaveCount(0)

  const eventually = await freeze(ada)
  await composer(mei).fill('done')
  await eventually(() => expect(line(ada)).toHaveText('Mei Lin is typing', { timeout: 100 }))
  await composer(mei).press('Enter')
  await eventually(() => expect(message(ada, 'done')).toBeVisible({ timeout: 100 }))
  await eventually(() => expect(line(ada)).toHaveCount(0, { timeout: 100 }))
})

test('typing is published every three seconds, and not for blank text', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const sent: string[] = []
  ada.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => String(payload).includes('"typing"') && sent.push(String(payload))),
  )
  await ada.clock.install()
  const comeBack = await leave(ada)
  const upgraded = nextUpgrade(ada)
  await comeBack()
  await upgraded
  await createChannel(ada, uniqueName('alone'))
  const box = composer(ada)
  await expect(box).toBeFocused()
  // The clock stops, so a slow machine changes nothing.
  await stopClock(ada)
  await box.pressSequentially('   ')
  await box.pressSequentially('abcdefghijklmnop')
  await expect.poll(() => sent.length).toBe(1)
  await ada.clock.runFor(2900)
  await box.pressSequentially('still')
  await ada.clock.runFor(200)
  await box.pressSequentially('on')
  await expect.poll(() => sent.length).toBe(2)
  await box.press('Enter')
  await expect(box).toHaveValue('')
  await box.pressSequentially('n')
  await expect.poll(() => sent.length).toBe(3)
})

test('typing in a thread is shown in that thread only', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const mei = await person('Mei Lin')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, mei, bob)
  await say(ada, 'a question')
  await openThread(mei, 'a question')
  await openThread(bob, 'a question')
  const box = replyBox(mei)
  await expect(async () => {
    await box.pressSequentially('a')
    await expect(panel(bob).getByText('Mei Lin is typing')).toBeVisible({ timeout: 1000 })
  }).toPass()
  // Ada receives a message sent after that, so she has received the typing events too.
  await say(bob, 'later')
  await expect(message(ada, 'later')).toBeVisible()
  await expect(line(ada)).toHaveCount(0)
  await openThread(ada, 'a question')
  const eventually = await freeze(ada)
  await eventually(async () => {
    await box.pressSequentially('n')
    await expect(line(ada)).toHaveText('Mei Lin is typing', { timeout: 100 })
  })
  await expect(panel(ada).getByText('Mei Lin is typing')).toBeVisible()
  await box.press('Enter')
  await eventually(() => expect(panel(ada).getByRole('article').last()).toContainText('an', { timeout: 100 }))
  await eventually(() => expect(line(ada)).toHaveCount(0, { timeout: 100 }))
})
