import { ask, channelOn, composer, createChannel, expect, message, say, sayMany, test, usernameOf } from './people.ts'
import { choose, toast } from './rows.ts'
import { conversation, openThread, panel, replied, reply, said, together } from './threads.ts'

test('a copied link opens the channel at the message', async ({ person, server }) => {
  const ada = await person('Ada Lovelace', { permissions: ['clipboard-read', 'clipboard-write'] })
  const bob = await person('Bob Kahn')
  await together(ada, bob)
  await sayMany(
    ada,
    Array.from({ length: 130 }, (_, i) => (i === 10 ? 'the one' : `filler ${i}`)),
  )
  await ada.reload()
  await expect(message(ada, 'filler 129')).toBeVisible()
  await choose(ada, 'filler 129', 'Copy link')
  await expect(toast(ada, 'Link copied')).toBeVisible()
  const link = await ada.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`^${server.address}/channels/[0-9a-f-]{36}\\?message=[0-9a-f-]{36}$`))
  await choose(ada, 'filler 129', 'Copy text')
  await expect(toast(ada, 'Text copied')).toBeVisible()
  expect(await ada.evaluate(() => navigator.clipboard.readText())).toBe('filler 129')

  await bob.goto(link)
  await expect(bob.locator('article[aria-current=true]')).toContainText('filler 129')
  await expect(bob.locator('article[aria-current=true]')).toHaveCount(0, { timeout: 4000 })

  const all = await ask(ada, 'GET', `/api/messages/channel/${channelOn(ada)}?limit=100&before=50`)
  const { id } = all.find(({ content }: { content: string }) => content === 'the one')
  await bob.goto(`${new URL(ada.url()).pathname}?message=${id}`)
  await expect(bob.locator('article[aria-current=true]')).toContainText('the one')
  await expect(message(bob, 'the one')).toBeInViewport()
  const list = await conversation(bob).boundingBox()
  const row = await message(bob, 'the one').boundingBox()
  expect(Math.abs((row?.y ?? 0) - (list?.y ?? 0) - (list?.height ?? 0) / 2)).toBeLessThan(60)
  await expect(bob).toHaveURL(/\/channels\/[0-9a-f-]{36}$/)

  // One that leads further down, followed within the page.
  await expect(bob.getByRole('button', { name: 'Jump to latest' })).toBeVisible()
  await bob.evaluate((address) => {
    history.pushState({}, '', address)
    dispatchEvent(new PopStateEvent('popstate'))
  }, link)
  await expect(bob.locator('article[aria-current=true]')).toContainText('filler 129')
  await expect(message(bob, 'filler 129')).toBeInViewport()

  await bob.goto(`${new URL(ada.url()).pathname}?message=01990000-0000-7000-8000-000000000000`)
  await expect(toast(bob, 'There is no such message')).toBeVisible()
  await expect(message(bob, 'filler 129')).toBeInViewport()
})

test('without a clipboard of the browser’s own, a link is copied all the same', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await ada.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await ada.reload()
  await createChannel(ada, usernameOf('copying'))
  await say(ada, 'copy me')
  await choose(ada, 'copy me', 'Copy link')
  await expect(toast(ada, 'Link copied')).toBeVisible()
  await composer(ada).focus()
  await ada.keyboard.press('Control+v')
  await expect(composer(ada)).toHaveValue(/\/channels\/.*\?message=/)
})

test('a link to a reply opens its thread, beside the message it answers', async ({ person }) => {
  const ada = await person('Ada Lovelace', { permissions: ['clipboard-read', 'clipboard-write'] })
  await createChannel(ada, usernameOf('replies'))
  await say(ada, 'a question')
  await openThread(ada, 'a question')
  await reply(ada, 'an answer')
  await expect(replied(ada, 'an answer')).toBeVisible()
  await choose(ada, 'an answer', 'Copy link')
  const link = await ada.evaluate(() => navigator.clipboard.readText())
  await ada.getByRole('link', { name: /^general/ }).click()
  await expect(panel(ada)).toHaveCount(0)
  await ada.goto(link)
  await expect(replied(ada, 'an answer')).toBeVisible()
  await expect(said(ada, 'a question')).toHaveAttribute('aria-current', 'true')
})
