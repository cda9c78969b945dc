import type { Page } from '@playwright/test'
import { PUSH_SERVICE_SETTINGS, startPushService } from '../../server/test/support/push-service.ts'
import {
  callApi,
  createPrivateChannel,
  expect,
  openGeneral,
  signUpOwner,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { connectPushService } from '../support/push-browser.ts'
import { contentsIn, open, section, turnOn, untilOffline } from '../support/push-settings.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'

test.use({ serviceWorkers: 'allow' })

let service: Awaited<ReturnType<typeof startPushService>>
let parley: Awaited<ReturnType<typeof startServer>>

test.beforeAll(async () => {
  service = await startPushService()
  parley = await startServer(PUSH_SERVICE_SETTINGS)
  await signUpOwner(parley.address)
})
test.afterAll(async () => {
  service.close()
  await parley.remove()
})

/** Bob, whose page is closed, and a direct message with Ada. */
async function inBobsPocket(person: (name: string, options: object) => Promise<Page>) {
  const { address } = parley
  const ada = await person('Ada Lovelace', { address, open: false })
  const bob = await person('Bob Kahn', { address, serviceWorkers: 'allow', open: false })
  const browser = await connectPushService(bob, service, 'granted')
  await open(bob)
  await browser.record()
  await openSettings(bob, 'Notifications')
  await turnOn(bob).click()
  await expect(section(bob)).toContainText('On.')
  await bob.keyboard.press('Escape')
  const { id, username } = await userOn(bob)
  const channelId = await createPrivateChannel(ada, bob, uniqueName('pocket'))
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  await openGeneral(bob)
  const context = bob.context()
  await bob.close()
  await untilOffline(ada, username)
  const tags = async () => (await browser.shown()).map(({ tag }) => tag)
  const titles = async () => (await browser.shown()).map(({ title }) => title)
  /** Says something that notifies Bob. Returns its id. */
  const say = async (to: string, content: string): Promise<string> => {
    const sent = await callApi(ada, 'POST', '/api/messages', { channelId: to, content })
    await expect.poll(tags).toContain(sent.id)
    return sent.id
  }
  return { ada, browser, channelId, context, directId: direct.id as string, say, tags, titles, username }
}

test('a notification is marked as read, or answered: at once, later without a network, or in Parley', {
  tag: '@long',
}, async ({ person }) => {
  const { ada, browser, channelId, context, directId, say, tags, username } = await inBobsPocket(person)
  const first = await say(directId, 'first')
  const second = await say(directId, 'second')
  const mention = await say(channelId, `@${username} third`)
  expect(await browser.badges()).toEqual([1, 2, 3])
  const { actions } = (await browser.shown()).find((it) => it.tag === mention) ?? {}
  expect(actions?.map(({ title }) => title)).toEqual(['Reply', 'Mark as read'])
  await browser.click(second, 'read')
  await expect.poll(tags).toEqual([mention])
  await expect.poll(() => browser.badges()).toEqual([1, 2, 3, 1])
  expect(await tags()).not.toContain(first)

  await context.setOffline(true)
  await browser.click(mention, 'reply', 'from a **tunnel**')
  await expect
    .poll(async () => (await browser.shown()).map(({ title }) => title))
    .toEqual(['Not sent yet. Open Parley to send it.'])
  expect((await browser.shown())[0]?.body).toBe('from a **tunnel**')
  await context.setOffline(false)
  const again = await context.newPage()
  await open(again)
  await expect.poll(() => repliesTo(ada, mention)).toEqual(['from a **tunnel**'])
  await expect.poll(tags).toEqual([])

  await again.close()
  await untilOffline(ada, username)
  const late = await say(channelId, `@${username} fourth`)
  await callApi(ada, 'PUT', `/api/channels/${channelId}/archive`)
  await browser.click(late, 'reply', 'too late')
  await expect.poll(async () => (await browser.shown()).map(({ body }) => body)).toEqual(['too late'])
  const last = await context.newPage()
  await last.goto((await browser.shown())[0]?.data?.path ?? '')
  await expect(last.getByText('too late')).toBeVisible()
  await expect.poll(tags).toEqual([])
})

test('what a notification couldn’t do is said in it, and nothing that was written there is lost', {
  tag: '@long',
}, async ({ person }) => {
  const { ada, browser, context, directId, say, titles } = await inBobsPocket(person)
  const ask = (content: string) => say(directId, content)
  const first = await ask('first')
  await context.setOffline(true)
  await browser.click(first, 'read')
  await expect.poll(async () => (await browser.shown())[0]?.body).toBe('first\nCouldn’t be marked as read')
  expect((await browser.shown())[0]?.actions?.map(({ action }) => action)).toEqual(['reply', 'read'])
  await browser.click(first, 'reply', 'kept')
  await expect.poll(titles).toEqual(['Not sent yet. Open Parley to send it.'])
  await context.setOffline(false)
  await browser.sync()
  await expect.poll(() => contentsIn(ada, directId)).toEqual(['first', 'kept'])
  await expect.poll(titles).toEqual([])

  await browser.click(await ask('second'), 'reply', 'x'.repeat(20_000))
  await expect.poll(titles).toEqual(['Your reply wasn’t sent'])
  await browser.click(await ask('third'), 'reply', 'short enough')
  await expect.poll(async () => (await contentsIn(ada, directId)).at(-1)).toBe('short enough')
  await expect.poll(titles).toEqual(['Your reply wasn’t sent'])

  const last = await ask('fourth')
  await browser.forbidDatabases()
  await context.setOffline(true)
  await browser.click(last, 'reply', 'nowhere to keep it')
  await expect.poll(titles).toEqual(['Your reply wasn’t sent', 'Your reply wasn’t sent'])
  await context.setOffline(false)
  const { data } = (await browser.shown()).at(-1) ?? {}
  const page = await context.newPage()
  await page.goto(data?.path ?? '')
  await expect(page.getByText('nowhere to keep it')).toBeVisible()
  // Only the other one is in the outbox.
  await expect.poll(async () => (await browser.shown()).map(({ body }) => body)).toEqual(['nowhere to keep it'])
})

const repliesTo = async (page: Page, messageId: string) =>
  (await callApi(page, 'GET', `/api/threads/${messageId}/messages`))
    .slice(1)
    .map(({ content }: { content: string }) => content)
