import type { Locator } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  invite,
  message,
  say,
  showChannel,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { row } from '../support/sidebar.ts'

/** The background behind each set of initials within a part of a page. */
const colorsIn = (part: Locator) =>
  part
    .locator('span[aria-hidden][style*="background"]')
    .evaluateAll((faces) => faces.map((face) => (face as HTMLElement).style.background))

test('a person has one colour wherever they appear, another than their neighbours’, and one initial where it is small', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('colours')
  await createChannel(ada, name)
  await invite(ada, bob)
  await callApi(bob, 'POST', '/api/direct-messages', { userIds: [(await userOn(ada)).id] })
  await say(ada, 'a thread')
  await showChannel(bob, channelIdOn(ada), name)
  await expect(message(bob, 'a thread')).toBeVisible()
  const { id: parentMessageId } = (await callApi(bob, 'GET', `/api/messages/channel/${channelIdOn(ada)}`)).find(
    ({ content }: { content: string }) => content === 'a thread',
  )
  await callApi(bob, 'POST', '/api/threads/messages', { parentMessageId, content: 'a reply' })
  await say(bob, 'hello')

  await expect(message(ada, 'hello')).toBeVisible()
  const [adas] = await colorsIn(message(ada, 'a thread'))
  const [bobs] = await colorsIn(message(ada, 'hello'))
  expect(adas).not.toBe(bobs)
  // In the thread's stack, before and after a reload, and in the other browser.
  const stack = message(ada, 'a thread').getByRole('button', { name: /1 reply/ })
  await expect(stack.locator('span[aria-hidden]').first()).toHaveText('B')
  expect(await colorsIn(stack)).toEqual([bobs])
  expect((await colorsIn(message(bob, 'a thread')))[0]).toBe(adas)
  await expect.poll(() => colorsIn(row(bob, 'Ada Lovelace'))).toEqual([adas])
  await expect(row(bob, 'Ada Lovelace').locator('span[aria-hidden]').first()).toHaveText('A')
  await bob.reload()
  await expect(message(bob, 'a thread')).toBeVisible()
  expect((await colorsIn(message(bob, 'a thread')))[0]).toBe(adas)

  const line = ada.locator('p').filter({ hasText: / is typing$/ })
  await expect(async () => {
    await composer(bob).press('x')
    await expect(line).toBeVisible({ timeout: 2000 })
    expect(await colorsIn(line)).toEqual([bobs])
  }).toPass()
})
