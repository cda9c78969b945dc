import type { Page } from '@playwright/test'
import { LINKED_SITE_SETTINGS, pngOf, startLinkedSite } from '../../server/test/support/linked-site.ts'
import {
  composer,
  createChannel,
  createPrivateChannel,
  expect,
  message,
  openTab,
  say,
  sendMessages,
  test as shared,
  uniqueName,
} from '../support/fixtures.ts'
import { toast } from '../support/message-rows.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'

/** A separate server, which may fetch the pages of a site. */
const test = shared.extend<object, { site: Awaited<ReturnType<typeof startLinkedSite>> }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const site = await startLinkedSite()
      const head = ['title', 'description', 'site_name', 'image'].map(
        (name) => `<meta property="og:${name}" content="${name === 'image' ? '/quay.png' : `The ${name}`}">`,
      )
      site.page('/report', head.join(''))
      site.page('/quay.png', await pngOf(1200, 600), 'image/png')
      await use(site)
      site.close()
    },
    { scope: 'worker' },
  ],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const server = await startServer(LINKED_SITE_SETTINGS)
      await use(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
})

// Otherwise each worker would start a separate server.
test.describe.configure({ mode: 'default' })

const title = (page: Page) => page.getByRole('link', { name: 'The title' })
const isPictureLoaded = (page: Page) =>
  page.locator('img[src^="/api/previews/"]').evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)

test('a link shows what it leads to, until its author removes that for everyone', { tag: '@long' }, async ({
  person,
  site,
}) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Miller')]
  await createPrivateChannel(ada, bob, uniqueName('links'))
  await say(ada, `Read ${site.origin}/report`)
  for (const page of [ada, bob]) {
    await expect(title(page)).toHaveAttribute('href', `${site.origin}/report`)
    await expect(page.getByText('The description')).toBeInViewport()
    await expect.poll(() => isPictureLoaded(page)).toBe(true)
    await expect(message(page, 'Read').getByText('edited')).toHaveCount(0)
  }
  await bob.reload()
  await expect(title(bob)).toBeVisible()
  await expect(bob.getByRole('button', { name: 'Remove preview: The title' })).toHaveCount(0)

  await title(ada).focus()
  await ada.keyboard.press('Tab')
  await expect(ada.getByRole('button', { name: 'Remove preview: The title' })).toBeFocused()
  await ada.keyboard.press('Enter')
  for (const page of [ada, bob]) await expect(title(page)).toHaveCount(0)
  await expect(message(ada, 'Read')).toBeFocused()
  await ada.reload()
  await expect(message(ada, 'Read')).toBeVisible()
  await expect(title(ada)).toHaveCount(0)

  // By the pointer, the focus stays where it was.
  await say(ada, `Again ${site.origin}/report`)
  await expect(title(ada)).toBeVisible()
  await title(ada).hover()
  await ada.getByRole('button', { name: 'Remove preview: The title' }).click()
  await expect(title(ada)).toHaveCount(0)
  await expect(composer(ada)).toBeFocused()
  await toast(ada, 'Preview removed').last().getByRole('button', { name: 'Undo' }).click()
  await expect(title(ada)).toBeVisible()
  // Leaving the page ends the time for Undo.
  await title(ada).hover()
  await ada.getByRole('button', { name: 'Remove preview: The title' }).click()
  await expect(title(ada)).toHaveCount(0)
  await ada.reload()
  await expect(message(ada, 'Again')).toBeVisible()
  await expect(title(ada)).toHaveCount(0)
})

test('a preview that arrives does not move what is being read', { tag: '@long' }, async ({ person, site }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('calm'))
  await sendMessages(ada, [...Array.from({ length: 40 }, (_, i) => `line ${i}`), 'an anchor', 'a last line'])
  await expect(ada.getByText('a last line')).toBeInViewport()
  const answer = Promise.withResolvers<void>()
  site.pages.set('/slow', (response) =>
    answer.promise.then(() => response.setHeader('content-type', 'text/html').end('<title>The title</title>')),
  )
  // At the end, the list stays there.
  await say(ada, `${site.origin}/slow`)
  await expect(message(ada, '/slow')).toBeInViewport()
  answer.resolve()
  await expect(title(ada)).toBeInViewport({ ratio: 1 })
})

test('previews can be hidden on a device', { tag: '@long' }, async ({ person, site }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('plain'))
  await say(ada, `${site.origin}/report`)
  await expect(title(ada)).toBeVisible()
  const other = await openTab(ada)
  await expect(title(other)).toBeVisible()
  await openSettings(ada, 'Appearance')
  await ada.getByRole('checkbox', { name: 'Show link previews' }).uncheck()
  await ada.keyboard.press('Escape')
  await expect(title(ada)).toHaveCount(0)
  await expect(title(other)).toHaveCount(0)
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await expect(message(ada, '/report')).toBeVisible()
  await expect(title(ada)).toHaveCount(0)
})
