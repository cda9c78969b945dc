import type { Page, Route } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, createChannel, expect, message, say, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'
import { createSharedChannel, openThread, panel, parentId, reply, replyBox } from '../support/threads.ts'

const CRASHED = 'Something went wrong'
const NO_TIME = 'no time'

interface Written {
  content: string
  createdAt: string
}

/** Changes the server's responses before the page sees them, to data that it can't render. @returns the way back */
async function corrupt<T>(page: Page, path: string, change: (body: T) => unknown) {
  const handler = async (route: Route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change((await response.json()) as T) })
  }
  await page.route(path, handler)
  return () => page.unroute(path, handler)
}

const withoutTimes = (messages: Written[]) => messages.map((message) => ({ ...message, createdAt: NO_TIME }))

test('a message that can’t be rendered leaves the others on screen', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  const id = await createChannel(ada, uniqueName('broken'))
  await ada.goto(`/channels/${id}`)
  // Stored before the reload: what is sent after it comes as an event, which can be shown.
  await sendMessages(ada, ['before', 'broken', 'after'])
  await corrupt(ada, `**/api/messages/channel/${id}*`, (messages: Written[]) =>
    messages.map((it) => (it.content === 'broken' ? { ...it, content: 7 } : it)),
  )
  await ada.reload()
  await expect(ada.getByText('This message can’t be shown')).toBeVisible()
  await expect(message(ada, 'before')).toBeVisible()
  await expect(message(ada, 'after')).toBeVisible()
  await expectAccessible(ada)
  await say(ada, 'still here')
})

test('a thread that can’t be rendered leaves the conversation, and is tried again with fresh data', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createSharedChannel(ada)
  await say(ada, 'where to meet')
  const id = await parentId(ada, 'where to meet')
  await openThread(ada, 'where to meet')
  await reply(ada, 'at the harbour')
  const restore = await corrupt(ada, `**/api/threads/${id}/messages*`, withoutTimes)
  await ada.reload()
  await expect(panel(ada).getByText(CRASHED)).toBeVisible()
  await composer(ada).fill('written beside it')
  await expectAccessible(ada)
  // Offline it drops nothing of the conversation.
  await ada.context().setOffline(true)
  await panel(ada).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(ada).getByText(CRASHED)).toHaveCount(0)
  await expect(message(ada, 'where to meet').first()).toBeVisible()
  await ada.context().setOffline(false)
  await expect(panel(ada).getByText(CRASHED)).toBeVisible()
  await restore()
  await panel(ada).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(ada).getByText('at the harbour')).toBeVisible()
  await expect(replyBox(ada)).toBeVisible()
  await expect(composer(ada)).toHaveValue('written beside it')
})

test('a page that can’t be rendered leaves the sidebar, and another page opens', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  const id = await createChannel(ada, uniqueName('broken'))
  await ada.goto(`/channels/${id}`)
  await say(ada, 'written before')
  await composer(ada).fill('half a thought')
  const restore = await corrupt(ada, `**/api/messages/channel/${id}*`, withoutTimes)
  await ada.reload()
  await expect(ada.getByRole('main').getByText(CRASHED)).toBeVisible()
  await expectAccessible(ada)
  await ada.setViewportSize({ width: 390, height: 800 })
  await expect(ada.getByRole('button', { name: 'Show channels' })).toBeVisible()
  await ada.setViewportSize({ width: 1280, height: 800 })
  await ada.getByRole('button', { name: 'Go to #general' }).click()
  await expect(composer(ada)).toBeVisible()
  await ada.goBack()
  await expect(ada.getByRole('main').getByText(CRASHED)).toBeVisible()
  await restore()
  await ada.getByRole('button', { name: 'Try again' }).click()
  await expect(message(ada, 'written before')).toBeVisible()
  await expect(composer(ada)).toHaveValue('half a thought')
})

test('what can’t be rendered around the page is replaced by a page with ways out', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await ada.route('**/api/channels?**', (route) =>
    route.fulfill({ json: { channels: [{ id: 'broken' }], directMessages: [], pagination: { hasMore: false } } }),
  )
  await ada.reload()
  await expect(ada.getByText('Something went wrong')).toBeVisible()
  await ada.unroute('**/api/channels?**')
  await ada.getByRole('button', { name: 'Try again' }).click()
  await expect(composer(ada)).toBeVisible()
})

test('a dialog that can’t be rendered closes with a note, and loses nothing that is being written', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createSharedChannel(ada)
  await say(ada, 'a zebra in the hall')
  await composer(ada).fill('half a thought')
  await corrupt(ada, '**/api/search?*', (results: { metadata: object }[]) =>
    results.map((result) => ({ ...result, metadata: { ...result.metadata, timestamp: NO_TIME } })),
  )
  await ada.keyboard.press('ControlOrMeta+k')
  await ada.getByRole('dialog').getByRole('combobox').fill('zebra')
  await expect(ada.getByText(CRASHED)).toBeVisible()
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  await expect(composer(ada)).toHaveValue('half a thought')
})
