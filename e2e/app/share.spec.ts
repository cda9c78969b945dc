import type { Page } from '@playwright/test'
import { permissions } from '#contract/permissions'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, createChannel, expect, message, openGeneral, test, uniqueName, userOn } from '../support/fixtures.ts'
import { picture } from '../support/pictures.ts'
import { goTo } from '../support/sidebar.ts'
import { signInAs, signOut, welcome } from '../support/signing-out.ts'

test.use({ serviceWorkers: 'allow' })

const WITH_WORKER = { serviceWorkers: 'allow' } as const
const tray = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const search = (page: Page) => page.getByRole('combobox', { name: 'Search for a conversation or person' })
const shared = (page: Page) => page.getByRole('region', { name: 'Shared content' })

/** Waits until the service worker receives what is shared. */
const untilReady = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready))

interface Shared {
  fields?: Record<string, string>
  files?: { name: string; type: string; base64: string }[]
}

/** Posts the form that a browser posts when another app shares something with an installed Parley. */
const share = (page: Page, { fields = {}, files = [] }: Shared) =>
  page.evaluate(
    ([fields, files]) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/share' })
      form.enctype = 'multipart/form-data'
      for (const [name, value] of Object.entries(fields)) {
        const field = Object.assign(document.createElement('textarea'), { name, value })
        form.append(field)
      }
      const transfer = new DataTransfer()
      for (const { name, type, base64 } of files)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (it) => it.charCodeAt(0))], name, { type }))
      form.append(
        Object.assign(document.createElement('input'), { type: 'file', name: 'files', files: transfer.files }),
      )
      document.body.append(form)
      form.submit()
    },
    [fields, files] as const,
  )

const text = (name: string, content: string) => ({
  name,
  type: 'text/plain',
  base64: Buffer.from(content).toString('base64'),
})

/** The shares on this device. */
const storedShares = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('parley shares'))) return []
    const stored = await (await caches.open('parley shares')).keys()
    return stored.map(({ url }) => new URL(url).pathname).filter((path) => path !== '/share/person')
  })

test('a text and a picture of another app are added to a draft, and sent when the person says so', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', WITH_WORKER)
  const bob = await person('Bob Kahn')
  const name = uniqueName('shared')
  await createChannel(ada, name)
  await bob.getByRole('link', { name }).click()
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await composer(ada).fill('Look at this:')
  await openGeneral(ada)
  await untilReady(ada)

  const view = { name: 'view.png', type: 'image/png', base64: (await picture(1200, 600)).toString('base64') }
  const page = { title: 'A walk', text: 'One\r\ntwo', url: 'https://example.com/walk' }
  await share(ada, { fields: page, files: [view] })
  await expect(shared(ada)).toContainText('A walk One two https://example.com/walk', { useInnerText: false })
  await expect(shared(ada).getByRole('presentation')).toHaveJSProperty('naturalWidth', 1200)
  // Until it is used, a reload shows it again.
  await ada.reload()
  await expect(shared(ada)).toContainText('view.png')
  await expectAccessible(ada, 'share')
  await search(ada).fill(name)
  await expect(ada.getByRole('option')).toHaveCount(1)
  await search(ada).press('Enter')

  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(composer(ada)).toHaveValue('Look at this:\nA walk\nOne\ntwo\nhttps://example.com/walk')
  await expect(composer(ada)).toBeFocused()
  await expect(tray(ada).getByRole('listitem')).toHaveCount(1)
  await expect.poll(() => storedShares(ada)).toEqual([])
  await expect(message(bob, 'Look at this')).toHaveCount(0)
  await ada.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(message(bob, 'Look at this').getByRole('button', { name: 'Open view.png' })).toBeVisible()

  // Its address leads nowhere any more.
  await share(ada, { fields: { text: 'Another' } })
  await expect(shared(ada)).toContainText('Another')
  const address = ada.url()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await expect(composer(ada)).toBeVisible()
  await expect.poll(() => storedShares(ada)).toEqual([])
  await ada.goto(address)
  await expect(ada.getByText('This is no longer here')).toBeVisible()
  await ada.getByRole('link', { name: 'Go to conversations' }).click()
  await expect(composer(ada)).toBeVisible()
})

test('what is shared while nobody is signed in waits for the next person; signing out removes it', {
  tag: '@long',
}, async ({ person }) => {
  const bob = await person('Bob Kahn', { open: false })
  const ada = await person('Ada Lovelace', WITH_WORKER)
  const [adasName, bobsName] = [(await userOn(ada)).username, (await userOn(bob)).username]
  await untilReady(ada)
  await signOut(ada)
  await expect(welcome(ada)).toBeVisible()
  await share(ada, { fields: { text: 'For whoever comes' }, files: [text('notes.txt', 'bytes')] })
  await expect(welcome(ada)).toBeVisible()
  await signInAs(ada, adasName)
  await expect(shared(ada)).toContainText('For whoever comes')
  await expect(shared(ada)).toContainText('notes.txt')
  const address = ada.url()

  await signOut(ada)
  await expect(welcome(ada)).toBeVisible()
  await expect.poll(() => storedShares(ada)).toEqual([])
  await ada.goto(address)
  await signInAs(ada, bobsName)
  await expect(ada.getByText('This is no longer here')).toBeVisible()
  await expect(ada.getByText('For whoever comes')).toHaveCount(0)
})

test('a share of a person whose session ended is not shown to the next one @long', async ({ person }) => {
  const bob = await person('Bob Kahn', { open: false })
  const ada = await person('Ada Lovelace', WITH_WORKER)
  const bobsName = (await userOn(bob)).username
  await untilReady(ada)
  await share(ada, { fields: { text: 'Private to Ada' } })
  await expect(shared(ada)).toContainText('Private to Ada')
  const address = ada.url()
  await ada.context().clearCookies()
  // It arrives before any page knows that the session has ended.
  await share(ada, { fields: { text: 'Also Ada’s' } })
  await ada.waitForURL(/sign-in|\/$/)
  // Once a page knows, it belongs to the next person.
  await expect
    .poll(() => ada.evaluate(async () => (await caches.open('parley shares')).match('/share/person').then(Boolean)))
    .toBe(false)
  await share(ada, { fields: { text: 'For whoever comes' } })
  await signInAs(ada, bobsName)
  await expect(shared(ada)).toContainText('For whoever comes')
  await expect.poll(async () => (await storedShares(ada)).length).toBe(1)
  await ada.goto(address)
  await expect(ada.getByText('This is no longer here')).toBeVisible()
})

test('what cannot be taken is explained, and the rest is kept @long', async ({ person }) => {
  const ada = await person('Ada Lovelace', WITH_WORKER)
  const name = uniqueName('shared')
  await createChannel(ada, name)
  await untilReady(ada)
  await share(ada, { fields: { text: '  ' } })
  await expect(ada.getByText('There was nothing to share')).toBeVisible()
  await ada.getByRole('link', { name: 'Continue to Parley' }).click()
  await expect(composer(ada)).toBeVisible()

  await share(ada, { files: Array.from({ length: 11 }, (_, n) => text(`${n}.txt`, 'bytes')) })
  await expect(ada.getByText('You can share up to 10 files at once. Share fewer.')).toBeVisible()

  await ada.context().route('**/api/files/limits', (route) => route.fulfill({ json: { size: 1024 } }))
  await ada.goto('/')
  await goTo(ada, name)
  const files = [text('small.txt', 'bytes'), text('film.txt', 'long '.repeat(1000))]
  await share(ada, { fields: { text: 'Two files' }, files })
  await expect(ada.getByRole('alert')).toHaveText('Too large: film.txt. Files can be up to 1 KB.')
  await search(ada).fill(name)
  await ada.getByRole('option', { name }).click()
  await expect(composer(ada)).toHaveValue('Two files')
  await expect(tray(ada).getByRole('listitem')).toHaveText(/small\.txt/)

  // A draft that has files already takes no more than a message can have.
  await share(ada, { files: Array.from({ length: 10 }, (_, n) => text(`${n}.txt`, 'bytes')) })
  await search(ada).fill(name)
  await ada.getByRole('option', { name }).click()
  await expect(ada.getByRole('alert')).toHaveText(
    `A message can have up to 10 files. Your draft in #${name} already has some. Send or remove them first.`,
  )
  await expect(shared(ada)).toContainText('9.txt')

  // Without a service worker, the form reaches the server.
  await ada.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
  })
  await ada.goto('/share?id=none')
  await share(ada, { fields: { text: 'To the server' } })
  await expect(ada.getByText('Parley wasn’t ready to receive what you shared.')).toBeVisible()
})

test('files stay on the device until they are uploaded, and text until it is stored @long', async ({ person }) => {
  const ada = await person('Ada Lovelace', WITH_WORKER)
  const name = uniqueName('shared')
  await createChannel(ada, name)
  await untilReady(ada)
  await ada.route(/\/api\/files/, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await share(ada, { fields: { text: 'A walk' }, files: [text('a"b.txt', 'bytes')] })
  await expect(shared(ada)).toContainText('a"b.txt')
  await search(ada).fill(name)
  await ada.getByRole('option', { name }).click()
  await expect(tray(ada).getByRole('listitem')).toContainText('Connection lost')
  ada.on('dialog', (dialog) => dialog.accept())
  await ada.unrouteAll()
  await ada.reload()
  await expect(composer(ada)).toHaveValue('A walk')
  await expect(tray(ada).getByRole('listitem')).toContainText('a"b.txt')
  await expect.poll(() => storedShares(ada)).toEqual([])
  await ada.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(message(ada, 'A walk').getByRole('button', { name: 'Download a"b.txt' })).toBeVisible()

  await share(ada, { fields: { text: 'Too much' } })
  await expect(shared(ada)).toContainText('Too much')
  await ada.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    }
  })
  await search(ada).fill(name)
  await ada.getByRole('option', { name }).click()
  await expect(ada.getByRole('alert')).toContainText('There isn’t enough space on this device.')
  await ada.reload()
  await expect(shared(ada)).toContainText('Too much')
})

test('somebody who may not upload files shares the text alone @long', async ({ person }) => {
  const ada = await person('Ada Lovelace', WITH_WORKER)
  await untilReady(ada)
  await ada.route('**/api/auth/get-session', async (route) => {
    const response = await route.fetch()
    const session = await response.json()
    session.user.may = permissions.filter((permission) => permission !== 'upload')
    await route.fulfill({ response, json: session })
  })
  await share(ada, { fields: { text: 'Only this' }, files: [text('notes.txt', 'bytes')] })
  await expect(ada.getByRole('alert')).toHaveText('You’re not allowed to upload files here.')
  await search(ada).fill('general')
  await ada.getByRole('option', { name: 'general' }).click()
  await expect(composer(ada)).toHaveValue('Only this')
  await expect(tray(ada)).toHaveCount(0)
})
