import type { BrowserContext, Page } from '@playwright/test'
import { callApi, channelIdOn, createChannel, expect, message, test, uniqueName, userOn } from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'
import { chooseChannelAction, joinChannel, row } from '../support/sidebar.ts'

interface NotificationRecord {
  title: string
  body: string
  isClosed: boolean
}
declare global {
  interface Window {
    notifications: (NotificationRecord & { click: () => void })[]
  }
}

/** Replaces the browser's notifications and focus, and records the notifications of its pages. */
async function watch(context: BrowserContext, permission: NotificationPermission) {
  await context.addInitScript((first) => {
    window.notifications = []
    Document.prototype.hasFocus = () => true
    let permission = sessionStorage.getItem('permission') ?? first
    class Recorded extends EventTarget {
      static get permission() {
        return permission
      }
      static async requestPermission() {
        permission = 'granted'
        sessionStorage.setItem('permission', permission)
        return permission
      }
      onclick?: () => void
      onclose?: () => void
      record
      constructor(title: string, { body = '' }: NotificationOptions) {
        super()
        this.record = { title, body, isClosed: false, click: () => this.onclick?.() }
        window.notifications.push(this.record)
      }
      close() {
        this.record.isClosed = true
        this.onclose?.()
      }
    }
    Object.defineProperty(window, 'Notification', { value: Recorded })
  }, permission)
}

const notifications = (page: Page) =>
  page.evaluate(() => window.notifications.map(({ title, body, isClosed }) => ({ title, body, isClosed })))
const write = (page: Page, channelId: string, content: string, threadId?: string) =>
  callApi(page, 'POST', '/api/messages', { channelId, content, ...(threadId && { threadId }) })

/** Waits until a page that shows #general receives events. */
async function untilLive(page: Page, by: Page) {
  const general = channelIdOn(page)
  for (const text of [uniqueName('shown'), uniqueName('heard')]) {
    await write(by, general, text)
    if (text.startsWith('shown')) await page.reload()
    await expect(message(page, text)).toBeVisible()
  }
}

test('a mention is notified once across two tabs, with author, channel and text; a click opens it', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  await watch(bob.context(), 'granted')
  await bob.reload()
  const name = uniqueName('told')
  const channelId = await createChannel(ada, name)
  await joinChannel(bob, name)
  await row(bob, 'general').click()
  await expect(bob.getByRole('heading', { name: 'general' })).toBeVisible()
  const other = await bob.context().newPage()
  await other.goto(new URL(bob.url()).pathname)
  await untilLive(other, ada)
  await bob.bringToFront()
  const { id, username } = await userOn(bob)
  const both = async () => [...(await notifications(bob)), ...(await notifications(other))]

  await write(ada, channelId, 'nobody is called')
  const { id: called } = await write(ada, channelId, `**Hello** @${username}, see [this](https://example.com)`)
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  await write(ada, direct.id, 'psst')
  const reply = await write(ada, channelId, `and @${username} here`, called)
  const here = { isClosed: false }
  await expect.poll(both).toEqual(
    expect.arrayContaining([
      { title: `Ada Lovelace in #${name}`, body: `Hello @${username}, see this\nYou were mentioned`, ...here },
      { title: 'Ada Lovelace', body: 'psst', ...here },
      { title: `Ada Lovelace in #${name} (thread)`, body: `and @${username} here\nYou were mentioned`, ...here },
    ]),
  )
  expect(await both()).toHaveLength(3)

  // Reading the message on another device closes the notification.
  await callApi(bob, 'PUT', `/api/channels/${direct.id}/read`, { seq: 1 })
  await expect.poll(async () => (await both()).find(({ body }) => body === 'psst')?.isClosed).toBe(true)

  const [clicked] = (await notifications(bob)).some(({ body }) => body.startsWith('and')) ? [bob] : [other]
  await clicked.evaluate(() => window.notifications.find(({ body }) => body.startsWith('and'))?.click())
  await expect(clicked).toHaveURL(new RegExp(`${channelId}\\?thread=${reply.threadId}`))
  await expect(clicked.getByRole('complementary', { name: 'Thread' })).toContainText('here')
})

test('every message of a channel notifies if so chosen, until the settings say otherwise', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  await watch(bob.context(), 'granted')
  await bob.reload()
  const name = uniqueName('ops')
  const channelId = await createChannel(ada, name)
  await joinChannel(bob, name)
  await row(bob, 'general').click()
  await untilLive(bob, ada)
  await write(ada, channelId, 'before')
  await expect(row(bob, name)).toContainText('unread')

  await chooseChannelAction(bob, name, 'Notifications')
  const dialog = bob.getByRole('dialog', { name: `Notifications for #${name}` })
  await expect(dialog.getByRole('radio', { name: 'Default' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Every message' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await write(ada, channelId, 'the build is green')
  const bodies = async () => (await notifications(bob)).map(({ body }) => body)
  await expect.poll(bodies).toEqual(['the build is green\nEvery message notifies you here'])

  await bob.reload()
  const settings = await openSettings(bob, 'Notifications')
  await expect(settings.getByRole('listitem').filter({ hasText: `#${name}` })).toContainText('Every message')
  await settings.getByRole('button', { name: `Use default for #${name}` }).click()
  await expect(settings.getByText('Chosen for single conversations')).toHaveCount(0)
  await settings.getByRole('radio', { name: 'Nothing' }).click()
  const form = settings.locator('form', { hasText: 'In channels, notify me of' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByText('Saved')).toBeVisible()
  await bob.keyboard.press('Escape')
  await untilLive(bob, ada)
  const { username } = await userOn(bob)
  await write(ada, channelId, `@${username} and this is silent`)
  await expect(row(bob, name)).toContainText('1 mention')
  const general = channelIdOn(bob)
  const { id } = await userOn(bob)
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  await write(ada, direct.id, 'psst')
  expect(general).not.toBe(direct.id)
  await expect.poll(bodies).toEqual(['psst'])
})

test('a keyword notifies, says so, and is removed with one click on what the notification opens', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  await watch(bob.context(), 'granted')
  await bob.reload()
  const name = uniqueName('ops')
  const channelId = await createChannel(ada, name)
  await joinChannel(bob, name)
  const settings = await openSettings(bob, 'Notifications')
  const field = settings.getByRole('textbox', { name: 'Keywords' })
  await field.fill('Outage, on call')
  await field.press('Enter')
  await expect(settings.getByRole('button', { name: 'Remove “on call”' })).toBeVisible()
  await settings.getByRole('button', { name: 'Remove “on call”' }).click()
  await expect(settings.getByRole('button', { name: 'Remove “on call”' })).toHaveCount(0)
  await bob.keyboard.press('Escape')
  await row(bob, 'general').click()
  await untilLive(bob, ada)

  await write(ada, channelId, 'who is on call?')
  await write(ada, channelId, 'another outage!')
  const bodies = async () => (await notifications(bob)).map(({ body }) => body)
  await expect.poll(bodies).toEqual(['another outage!\nYour keyword “Outage”'])
  await expect(row(bob, name)).toContainText('1 mention')
  await bob.evaluate(() => window.notifications[0]?.click())
  await expect(message(bob, 'another outage!').locator('.at-me')).toHaveText('outage')
  await bob.getByRole('button', { name: 'Remove “Outage”' }).click()
  await expect(bob.getByText('“Outage” no longer notifies you.')).toBeVisible()
  await expect(message(bob, 'another outage!').locator('.at-me')).toHaveCount(0)
  await bob.getByRole('button', { name: 'Undo' }).click()
  await expect(message(bob, 'another outage!').locator('.at-me')).toHaveText('outage')
})

test('notifications are offered once, with the first mention, and can be turned off; if unavailable, the reason is shown', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const context = bob.context()
  await watch(context, 'default')
  await untilLive(bob, ada)
  const { id } = await userOn(bob)
  const direct = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [id] })
  const hint = bob.getByRole('region', { name: 'Turn on notifications' })
  await expect(row(bob, 'Ada Lovelace')).toBeVisible()
  await expect(hint).toHaveCount(0)
  await write(ada, direct.id, 'one')
  await expect(row(bob, 'Ada Lovelace')).toContainText('1 unread')
  // The hint does not appear while the page is in use.
  await expect(hint).toHaveCount(0)
  await bob.reload()
  await expect(hint).toContainText('Turn on notifications for direct messages')
  await hint.getByRole('button', { name: 'Not now' }).click()
  await untilLive(bob, ada)
  await expect(row(bob, 'Ada Lovelace')).toContainText('1 unread')
  await write(ada, direct.id, 'two')
  await expect(row(bob, 'Ada Lovelace')).toContainText('2 unread')
  await expect(hint).toHaveCount(0)
  const settings = await openSettings(bob, 'Notifications')
  await settings.getByRole('button', { name: 'Turn on', exact: true }).click()
  await expect(settings.getByText('On. You’re notified')).toBeVisible()
  await settings.getByRole('button', { name: 'Turn off', exact: true }).click()
  await expect(settings.getByText('Off. You can be notified')).toBeVisible()
  await bob.keyboard.press('Escape')
  await write(ada, direct.id, 'told to nobody')
  await expect(row(bob, 'Ada Lovelace')).toContainText('3 unread')
  await untilLive(bob, ada)
  await openSettings(bob, 'Notifications')
  await settings.getByRole('button', { name: 'Turn on', exact: true }).click()
  await expect(settings.getByText('On. You’re notified')).toBeVisible()
  await write(ada, direct.id, 'told again')
  await expect.poll(async () => (await notifications(bob)).map(({ body }) => body)).toEqual(['told again'])

  const eve = await person('Eve Adams')
  await watch(eve.context(), 'denied')
  await eve.reload()
  await openSettings(eve, 'Notifications')
  await expect(eve.getByRole('dialog').getByText('Your browser blocks notifications')).toBeVisible()
  await expect(eve.getByRole('dialog').getByRole('button', { name: /^Turn/ })).toHaveCount(0)

  await eve.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
  await eve.reload()
  await openSettings(eve, 'Notifications')
  await expect(eve.getByRole('dialog').getByText('Notifications only work over https')).toBeVisible()
})
