import type { Page } from '@playwright/test'
import { silence } from '../support/fake-services.ts'
import { createChannel, expect, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { finish, notePlayed } from '../support/played.ts'

/** Waits until no audio plays. */
const untilSilent = (page: Page) =>
  page.waitForFunction(() => (window as unknown as { played: HTMLAudioElement }).played.paused)
const player = (page: Page, name: string | RegExp) => page.getByRole('group', { name })

test('uploaded audio is loaded only on click, plays one file at a time, and stops at its end', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const requests: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await ada.route('**/*.mp3', async (route) => {
    const { pathname } = new URL(route.request().url())
    requests.push(pathname)
    if (pathname.includes('broken')) return route.fulfill({ status: 404, body: '' })
    await held
    return route.fulfill({ contentType: 'audio/wav', body: silence(pathname.includes('short') ? 20 : 75) })
  })
  await notePlayed(ada)
  await createChannel(ada, uniqueName('audio'))
  await sendMessages(ada, [
    '/api/files/1/short.mp3',
    'The recap: /api/files/2/long.mp3',
    '/api/files/3/broken.mp3',
    `${'x'.repeat(56)}.mp3`,
    `${'y'.repeat(57)}.mp3`,
  ])
  const [short, long] = [player(ada, /short/), player(ada, /long/)]
  await expect(short).toBeVisible()
  expect((await short.boundingBox())?.width).toBe(400)
  await expect(player(ada, `${'x'.repeat(56)}.mp3`)).toBeVisible()
  await expect(player(ada, `${'y'.repeat(57)}…`)).toContainText(`${'y'.repeat(57)}…`)
  expect(requests).toEqual([])

  await short.getByRole('button', { name: 'Play' }).click()
  await expect(short).toContainText('Loading...')
  release()
  await expect(short).toContainText(/0:\d\d \/ 0:20/)
  await long.getByRole('button', { name: 'Play' }).click()
  await expect(long).toContainText(/0:\d\d \/ 1:15/)
  await expect(short.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(long).toContainText(/0:(0[1-9]|[1-5]\d) \/ 1:15/)

  await long.getByRole('slider', { name: 'Position' }).focus()
  await ada.keyboard.press('PageUp')
  await expect(long.getByRole('slider')).toHaveAttribute('aria-valuetext', /^(0:(0[5-9]|[1-5]\d)|1:\d\d) of 1:15$/)
  await long.getByRole('button', { name: 'Stop' }).click()
  await expect(long.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(long).toContainText(/(0:(0[5-9]|[1-5]\d)|1:\d\d) \/ 1:15/)

  await long.getByRole('button', { name: 'Play' }).click()
  await ada.getByRole('link', { name: /^general/ }).click()
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  await untilSilent(ada)
  await ada.goBack()
  await expect(long.getByRole('button', { name: 'Play' })).toBeVisible()

  await short.getByRole('button', { name: 'Play' }).click()
  await expect(short.getByRole('button', { name: 'Stop' })).toBeVisible()
  await finish(ada)
  await expect(short.getByRole('button', { name: 'Play' })).toBeVisible()
  await expect(short).toContainText('0:00 / 0:20')

  await player(ada, /broken/)
    .getByRole('button', { name: 'Play' })
    .click()
  await expect(player(ada, /broken/)).toContainText("This audio can't be played")
  // Its length is unknown again.
  await expect(short.getByText('0:00', { exact: true })).toBeVisible()
})
