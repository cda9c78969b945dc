import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { messageId } from '../support/message-rows.ts'
import { picture } from '../support/pictures.ts'
import { goTo } from '../support/sidebar.ts'

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

test('several files are sent with one message; the recipient sees them, browses the pictures and saves a file', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('paper')
  await createChannel(ada, name)
  await bob.getByRole('link', { name }).click()
  await bob.getByRole('button', { name: 'Join channel' }).click()

  const png = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })
  await choose(ada, png('view.png', await picture(1200, 600)), png('way.png', await picture(40, 30)), text('notes.txt'))
  await expect(tray(ada).getByRole('listitem')).toHaveCount(3)
  await expect(tray(ada).getByText('10 B')).toBeVisible()
  await expect(send(ada)).toBeEnabled()
  // Nothing is published before the message is sent, and a reload restores the tray.
  await ada.reload()
  await expect(tray(ada).getByRole('listitem')).toHaveCount(3)
  await expect(bob.getByText('notes.txt')).toHaveCount(0)
  await composer(ada).fill('From the walk')
  await send(ada).click()
  await expect(tray(ada)).toHaveCount(0)

  for (const page of [ada, bob]) {
    const preview = message(page, 'From the walk').getByRole('button', { name: 'Open view.png' })
    await expect(preview.getByRole('presentation')).toHaveJSProperty('complete', true)
  }
  const row = message(bob, 'From the walk')
  const saving = bob.waitForEvent('download')
  await row.getByRole('button', { name: /^Download notes\.txt\s+10 B/ }).click()
  expect((await saving).suggestedFilename()).toBe('notes.txt')

  await row.getByRole('button', { name: 'Open view.png' }).click()
  const shown = (name: string) => bob.getByRole('dialog', { name })
  await expect(shown('view.png').getByRole('img')).toHaveJSProperty('naturalWidth', 1200)
  await expect(shown('view.png').locator(':focus')).toBeVisible()
  for (const [key, name] of [
    ['ArrowRight', 'way.png'],
    ['ArrowRight', 'view.png'],
    ['ArrowLeft', 'way.png'],
  ] as const) {
    await bob.keyboard.press(key)
    await expect(shown(name)).toBeVisible()
  }
  await bob.keyboard.press('Escape')
  await expect(bob.getByRole('dialog')).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Open view.png' })).toBeFocused()

  // A file needs no text. A single picture has its maximum width, and its height before it has loaded.
  await choose(bob, png('silent.png', await picture(1200, 600)))
  await send(bob).click()
  const silent = ada.getByRole('button', { name: 'Open silent.png' })
  await expect.poll(() => silent.boundingBox()).toMatchObject({ width: 400, height: 200 })
})

/** Pastes text and files together, as on the clipboard. */
const paste = (page: Page, text: string, names: string[], type = 'text/plain') =>
  composer(page).evaluate(
    (box, { text, names, type }) => {
      const data = new DataTransfer()
      if (text) data.setData('text/plain', text)
      for (const name of names) data.items.add(new File(['bytes'], name, { type }))
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    },
    { text, names, type },
  )

test('files can be dropped anywhere on the conversation, pasted, and chosen by keyboard; what cannot be sent is named', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const files = tray(ada).getByRole('listitem')
  await createChannel(ada, uniqueName('desk'))
  await ada.route('**/api/files/limits', (route) => route.fulfill({ json: { size: 1024 } }))
  const place = ada.getByRole('main').getByText('No messages yet')
  const transfer = await drag(ada, ['dropped.txt', 'second.txt'])
  await place.dispatchEvent('dragenter', { dataTransfer: transfer })
  await expect(ada.getByText('Drop to attach to your message')).toBeVisible()
  await place.dispatchEvent('drop', { dataTransfer: transfer })
  await expect(ada.getByText('Drop to attach to your message')).toHaveCount(0)
  await expect(files).toHaveCount(2)

  // A pasted picture gets a new name.
  await paste(ada, '', ['image.png'], 'image/png')
  await expect(tray(ada).getByText(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/)).toBeVisible()
  // A file manager puts names on the clipboard together with the files; a spreadsheet puts its cells as both text and a picture.
  await paste(ada, 'plan.txt\rminutes.txt', ['plan.txt', 'minutes.txt'])
  await paste(ada, 'Total\t42', ['image.png'])
  await paste(ada, '/home/ada/third.txt', ['third.txt'])
  await expect(files).toHaveCount(6)
  await expect(tray(ada)).toContainText('minutes.txt')
  await expect(tray(ada).getByText(/^Pasted/)).toHaveCount(1)

  const choosing = ada.waitForEvent('filechooser')
  await composer(ada).press('ControlOrMeta+u')
  await (await choosing).setFiles([text('by key.txt')])
  await expect(files).toHaveCount(7)
  await ada.getByRole('button', { name: 'Remove second.txt' }).click()
  await expect(files).toHaveCount(6)
  await expect(composer(ada)).toBeFocused()

  await choose(ada, text('film.txt', 'x'.repeat(2000)))
  await expect(ada.getByText('Too large: film.txt. Files can be up to 1 KB.')).toBeVisible()
  await ada.evaluate(() => {
    DataTransferItem.prototype.webkitGetAsEntry = () => ({ isDirectory: true }) as FileSystemEntry
  })
  await place.dispatchEvent('drop', { dataTransfer: await drag(ada, ['photos']) })
  await expect(ada.getByText("Folders can't be uploaded. Drop the files inside instead.")).toBeVisible()
  await choose(ada, ...Array.from({ length: 9 }, (_, index) => text(`file ${index}.txt`)))
  await expect(ada.getByText('You can attach up to 10 files')).toBeVisible()
  await expect(files).toHaveCount(10)
})

test('a file stays in its composer during the upload, which can be cancelled, and retried after an interruption', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const names = [uniqueName('here'), uniqueName('there')] as const
  for (const name of names) await createChannel(ada, name)
  let isCut = true
  await ada.route('**/api/files/upload', (route) => (isCut ? route.abort() : route.continue()))
  await composer(ada).fill('the plan')
  await choose(ada, text('cut.txt'))
  await expect(tray(ada).getByRole('alert')).toHaveText('Connection lost')
  await expect(send(ada)).toBeDisabled()
  isCut = false
  await ada.getByRole('button', { name: 'Retry cut.txt' }).click()
  await expect(send(ada)).toBeEnabled()

  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await ada.route('**/api/files/upload', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await choose(ada, text('slow.txt'))
  await choose(ada, text('plan.txt'))
  await expect(tray(ada).getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible()
  await expect(send(ada)).toBeDisabled()
  await ada.getByRole('button', { name: 'Cancel slow.txt' }).click()
  await expect(tray(ada).getByRole('listitem')).toHaveCount(2)

  for (const when of ['during the upload', 'after it']) {
    await goTo(ada, names[0])
    await expect(tray(ada)).toHaveCount(0)
    await say(ada, `no file ${when}`)
    await messageId(ada, `no file ${when}`)
    release()
    await goTo(ada, names[1])
    await expect(composer(ada)).toHaveValue('the plan')
    await expect(tray(ada).getByText('10 B')).toHaveCount(2)
  }
  await send(ada).click()
  const downloads = ada.getByRole('button', { name: /^Download/ })
  await expect(message(ada, 'the plan').getByRole('button', { name: /^Download plan\.txt/ })).toBeVisible()
  await expect(downloads).toHaveCount(2)
  await goTo(ada, names[0])
  await expect(message(ada, 'no file after it')).toBeVisible()
  await expect(downloads).toHaveCount(0)
})

test('a refused message gives its files back; one written offline sends them later', { tag: '@long' }, async ({
  person,
  network,
}) => {
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
