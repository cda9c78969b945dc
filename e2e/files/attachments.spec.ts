import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { picture } from '../support/pictures.ts'

const tray = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.getByLabel('Files to attach').setInputFiles(files)
const text = (name: string, content = 'some bytes') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

/** A drag of files with these names from outside the browser. */
const drag = (page: Page, names: string[]) =>
  page.evaluateHandle((names) => {
    const transfer = new DataTransfer()
    for (const name of names) transfer.items.add(new File([`bytes of ${name}`], name, { type: 'text/plain' }))
    return transfer
  }, names)

test('several files are sent with one message; the recipient sees, opens and saves them', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('paper')
  await createChannel(ada, name)
  await bob.getByRole('link', { name }).click()
  await bob.getByRole('button', { name: 'Join channel' }).click()

  const png = { name: 'view from the hill.png', mimeType: 'image/png', buffer: await picture(1200, 600) }
  await choose(ada, png, text('notes.txt'))
  await expect(tray(ada).getByRole('listitem')).toHaveCount(2)
  await expect(tray(ada).getByText('10 B')).toBeVisible()
  await expect(send(ada)).toBeEnabled()
  // Nothing is published before the message is sent, and a reload restores the tray.
  await ada.reload()
  await expect(tray(ada).getByRole('listitem')).toHaveCount(2)
  await expect(bob.getByText('notes.txt')).toHaveCount(0)
  await composer(ada).fill('From the walk')
  await send(ada).click()
  await expect(tray(ada)).toHaveCount(0)

  for (const page of [ada, bob]) {
    const row = message(page, 'From the walk')
    const preview = row.getByRole('button', { name: 'Open view from the hill.png' })
    await expect(preview.getByRole('presentation')).toHaveJSProperty('complete', true)
    // The maximum width in a list, with the final height reserved before the picture has loaded.
    await expect.poll(() => preview.boundingBox()).toMatchObject({ width: 400, height: 200 })
  }
  const row = message(bob, 'From the walk')
  const saving = bob.waitForEvent('download')
  await row.getByRole('button', { name: /^Download notes\.txt\s+10 B/ }).click()
  expect((await saving).suggestedFilename()).toBe('notes.txt')

  await row.getByRole('button', { name: 'Open view from the hill.png' }).click()
  const shown = bob.getByRole('dialog', { name: 'view from the hill.png' })
  await expect(shown.getByRole('img')).toHaveJSProperty('naturalWidth', 1200)
  await bob.keyboard.press('Escape')
  await expect(shown).toHaveCount(0)

  // A file needs no text.
  await choose(bob, text('silent.txt'))
  await send(bob).click()
  await expect(ada.getByRole('button', { name: /^Download silent\.txt\s+10 B/ })).toBeVisible()
})

test('files can be dropped anywhere on the conversation, pasted, and chosen by keyboard', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('desk'))
  await say(ada, 'a thread to drop on')
  const transfer = await drag(ada, ['dropped.txt', 'second.txt'])
  const page = ada.getByRole('main')
  await page.getByText('a thread to drop on').dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(ada.getByText('Drop to attach to your message')).toBeVisible()
  await page.getByText('a thread to drop on').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(ada.getByText('Drop to attach to your message')).toHaveCount(0)
  await expect(tray(ada).getByRole('listitem')).toHaveCount(2)

  // A pasted picture gets a new name; pasted text stays text.
  await composer(ada).evaluate((box) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(8)], 'image.png', { type: 'image/png' }))
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect(tray(ada).getByText(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/)).toBeVisible()

  const choosing = ada.waitForEvent('filechooser')
  await composer(ada).press('ControlOrMeta+u')
  await (await choosing).setFiles([text('by key.txt')])
  await expect(tray(ada).getByRole('listitem')).toHaveCount(4)
  await ada.getByRole('button', { name: 'Remove second.txt' }).click()
  await expect(tray(ada).getByRole('listitem')).toHaveCount(3)
  await expect(composer(ada)).toBeFocused()

  await choose(ada, ...Array.from({ length: 9 }, (_, index) => text(`file ${index}.txt`)))
  await expect(ada.getByText('You can attach up to 10 files')).toBeVisible()
  await expect(tray(ada).getByRole('listitem')).toHaveCount(10)
})

test('an interrupted upload can be retried, a running one cancelled; nothing is sent until they end', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('tunnel'))
  let cut = true
  await ada.route('**/api/files/upload', (route) => (cut ? route.abort() : route.continue()))
  await composer(ada).fill('with a file')
  await choose(ada, text('cut.txt'))
  await expect(tray(ada).getByRole('alert')).toHaveText('Connection lost')
  await expect(send(ada)).toBeDisabled()
  cut = false
  await ada.getByRole('button', { name: 'Retry cut.txt' }).click()
  await expect(send(ada)).toBeEnabled()
  await expect(tray(ada).getByText('10 B')).toBeVisible()

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/api/files/upload', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await choose(ada, text('slow.txt'))
  await expect(tray(ada).getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible()
  await expect(send(ada)).toBeDisabled()
  await ada.getByRole('button', { name: 'Cancel slow.txt' }).click()
  release()
  await expect(send(ada)).toBeEnabled()
  await send(ada).click()
  await expect(message(ada, 'with a file').getByRole('button', { name: /^Download/ })).toHaveCount(1)
})

test('a file stays in the composer it was attached in, also during the upload', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const names = [uniqueName('here'), uniqueName('there')] as const
  for (const name of names) await createChannel(ada, name)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await ada.route('**/api/files/upload', async (route) => {
    await held
    await route.continue()
  })
  await composer(ada).fill('the plan')
  await choose(ada, text('plan.txt'))
  await expect(tray(ada).getByRole('progressbar')).toBeVisible()
  for (const isThere of [false, true]) {
    await ada.getByRole('link', { name: names[0] }).click()
    await expect(ada.getByRole('heading', { name: names[0] })).toBeVisible()
    await expect(tray(ada)).toHaveCount(0)
    await say(ada, `no file ${isThere}`)
    await expect(message(ada, `no file ${isThere}`)).toBeVisible()
    release()
    await ada.getByRole('link', { name: names[1] }).click()
    await expect(composer(ada)).toHaveValue('the plan')
    await expect(tray(ada).getByText('10 B')).toBeVisible()
  }
  await send(ada).click()
  await expect(message(ada, 'the plan').getByRole('button', { name: /^Download plan\.txt/ })).toBeVisible()
  await ada.getByRole('link', { name: names[0] }).click()
  await expect(message(ada, 'no file true')).toBeVisible()
  await expect(ada.getByRole('button', { name: /^Download/ })).toHaveCount(0)
})

test('a file that is too large is refused before the upload, or by the server if the limit is unknown', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('narrow'))
  let uploads = 0
  ada.on('request', (request) => {
    if (request.url().endsWith('/api/files/upload')) uploads++
  })
  await ada.route('**/api/files/limits', (route) => route.abort())
  await choose(ada, text('unknown.txt'))
  await expect(tray(ada).getByText('10 B')).toBeVisible()

  await ada.unroute('**/api/files/limits')
  await ada.route('**/api/files/limits', (route) => route.fulfill({ json: { size: 1024 } }))
  await choose(ada, text('film.txt', 'x'.repeat(2000)), text('small.txt'))
  await expect(ada.getByText('Too large: film.txt. Files can be up to 1 KB.')).toBeVisible()
  await expect(tray(ada).getByRole('listitem')).toHaveCount(2)
  await expect(tray(ada).getByText('10 B')).toHaveCount(2)
  await expect(send(ada)).toBeEnabled()
  expect(uploads).toBe(2)
})

test('a refused message gives its files back; one written offline sends them later', async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await createChannel(ada, uniqueName('back'))
  await choose(ada, text('mine.txt'))
  await expect(send(ada)).toBeEnabled()
  const refuse = { status: 400, json: { error: { code: 'invalid', message: 'Not like this' } } }
  await ada.route('**/api/messages', (route) => route.fulfill(refuse))
  await composer(ada).fill('look')
  await send(ada).click()
  await expect(composer(ada)).toHaveValue('look')
  await expect(tray(ada).getByText('mine.txt')).toBeVisible()
  await ada.unroute('**/api/messages')

  await untilPreloaded(ada, 'preloaded')
  network.cut()
  await send(ada).click()
  await expect(message(ada, 'look')).toContainText('Waiting to send')
  await expect(message(ada, 'look')).toContainText('mine.txt')
  network.restore()
  await expect(message(ada, 'look')).not.toContainText('Waiting to send')
  await expect(message(ada, 'look').getByRole('button', { name: /^Download mine.txt/ })).toBeVisible()
})

test('files copied in a file manager are pasted as files, text as text', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('clipboard'))
  const paste = (text: string, names: string[]) =>
    composer(ada).evaluate(
      (box, { text, names }) => {
        const data = new DataTransfer()
        data.setData('text/plain', text)
        for (const name of names) data.items.add(new File(['bytes'], name, { type: 'text/plain' }))
        box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
      },
      { text, names },
    )
  await paste('plan.txt\rminutes.txt', ['plan.txt', 'minutes.txt'])
  await expect(tray(ada).getByRole('listitem')).toHaveCount(2)
  await expect(tray(ada)).toContainText('minutes.txt')
  // A spreadsheet puts its cells on the clipboard both as text and as a picture.
  await paste('Total\t42', ['image.png'])
  await paste('/home/ada/third.txt', ['third.txt'])
  await expect(tray(ada).getByRole('listitem')).toHaveCount(3)
  await expect(tray(ada)).not.toContainText('Pasted')
})

test('dropping a folder shows an explanation', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('folder'))
  await ada.evaluate(() => {
    DataTransferItem.prototype.webkitGetAsEntry = () => ({ isDirectory: true }) as FileSystemEntry
  })
  const transfer = await drag(ada, ['photos'])
  await ada.getByRole('main').getByText('No messages yet').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(ada.getByText("Folders can't be uploaded. Drop the files inside instead.")).toBeVisible()
  await expect(tray(ada)).toHaveCount(0)
})
