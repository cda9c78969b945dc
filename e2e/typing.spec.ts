import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test, usernameOf } from './people.ts'
import { openThread, panel, replyBox, together } from './threads.ts'

const line = (page: Page) => page.getByText(/ typing$/)

test('who is typing is shown, by name for one and two, until they are done', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const mei = await person('Mei Lin')
  const bob = await person('Bob Kahn')
  const eve = await person('Eve Adams')
  await together(ada, mei, bob, eve)
  const before = await composer(ada).boundingBox()
  await composer(mei).pressSequentially('I')
  await expect(line(ada)).toHaveText('Mei Lin is typing')
  await composer(bob).pressSequentially('We')
  await expect(line(ada)).toHaveText('Mei Lin and Bob Kahn are typing')
  await composer(eve).pressSequentially('They')
  await expect(line(ada)).toHaveText('Several people are typing')
  // Aloud it is said once.
  await expect(ada.getByText('Mei Lin began to write')).toHaveAttribute('aria-live', 'polite')
  await expect(ada.getByText('Bob Kahn began to write')).toHaveCount(0)
  expect(await composer(ada).boundingBox()).toEqual(before)
  await expect(line(mei)).not.toContainText('Mei')
  await expect(line(ada)).toHaveCount(0)

  await composer(mei).fill('done')
  await expect(line(ada)).toHaveText('Mei Lin is typing')
  await composer(mei).press('Enter')
  await expect(message(ada, 'done')).toBeVisible()
  await expect(line(ada)).toHaveCount(0, { timeout: 1000 })
})

test('whoever goes on typing is told of every three seconds, and an empty box is not', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const told: string[] = []
  ada.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => String(payload).includes('"typing"') && told.push(String(payload))),
  )
  await ada.reload()
  await createChannel(ada, usernameOf('alone'))
  await ada.waitForTimeout(1000)
  const box = composer(ada)
  await box.pressSequentially('   ')
  expect(told).toHaveLength(0)
  await box.pressSequentially('abcdefghijklmnop', { delay: 100 })
  expect(told).toHaveLength(1)
  await ada.waitForTimeout(3000)
  await box.pressSequentially('on')
  expect(told).toHaveLength(2)
  await box.press('Enter')
  await box.pressSequentially('n')
  expect(told).toHaveLength(3)
})

test('typing in a thread is shown in that thread only', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const mei = await person('Mei Lin')
  await together(ada, mei)
  await say(ada, 'a question')
  await openThread(mei, 'a question')
  const box = replyBox(mei)
  await box.pressSequentially('ans')
  await ada.waitForTimeout(500)
  await expect(line(ada)).toHaveCount(0)
  await openThread(ada, 'a question')
  await expect(async () => {
    await box.pressSequentially('wer')
    await expect(line(ada)).toHaveText('Mei Lin is typing', { timeout: 1000 })
  }).toPass()
  await expect(panel(ada).getByText('Mei Lin is typing')).toBeVisible()
  await box.press('Enter')
  await expect(line(ada)).toHaveCount(0, { timeout: 1000 })
  await expect(panel(ada).getByRole('article').last()).toContainText('answer')
})
