import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { startSlack } from '../../server/test/support/slack-site.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, openAsOwner, test } from '../support/fixtures.ts'
import { picture } from '../support/pictures.ts'
import { startServer } from '../support/server.ts'

async function archiveOf(messages: object[]) {
  const zip = new ZipFile()
  const add = (name: string, value: unknown) => zip.addBuffer(Buffer.from(JSON.stringify(value)), name)
  add('users.json', [{ id: 'U1', name: 'mia', profile: { real_name: 'Mia Sand' } }])
  add('channels.json', [{ id: 'C1', name: 'harbour', members: ['U1'] }])
  add(
    'harbour/2021-03-04.json',
    messages.map((message, n) => ({ type: 'message', user: 'U1', ts: `${1614848500 + n}.000100`, ...message })),
  )
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

let slack: Awaited<ReturnType<typeof startSlack>>
let parley: Awaited<ReturnType<typeof startServer>>
test.beforeAll(async () => {
  slack = await startSlack()
  parley = await startServer(slack.settings)
})
test.afterAll(async () => {
  await parley.remove()
  slack.close()
})

test('the owner has files fetched from Slack, gives a token when Slack refuses, and sees what is missing', {
  tag: '@long',
}, async ({ browser }) => {
  const pier = slack.file('F1', 'pier.png', await picture(640, 400), 'image/png')
  const gone = slack.file('F2', 'gone.pdf', 'x', 'application/pdf')
  slack.files.delete(new URL(gone.url_private_download).pathname)
  const archive = await archiveOf([{ text: 'The new pier', files: [pier, gone] }])

  const olga = await openAsOwner(browser, parley.address)
  await olga.goto('/admin/import')
  const chosen = olga.waitForEvent('filechooser')
  await olga.getByRole('button', { name: 'Choose archive' }).click()
  await (await chosen).setFiles({ name: 'acme.zip', mimeType: 'application/zip', buffer: archive })
  const atSlack = olga.getByRole('region', { name: 'Files and emoji at Slack' })
  await expect(atSlack.getByText('The archive only links to 2 files')).toBeVisible()
  await expect(atSlack.getByRole('checkbox', { name: 'Fetch them from Slack' })).toBeChecked()
  await expectAccessible(olga)
  await olga.getByRole('button', { name: 'Import', exact: true }).click()

  await expect(olga.getByRole('alert')).toContainText('Slack refuses the files')
  await expect(olga.getByRole('button', { name: 'Go on without what Slack refuses' })).toBeVisible()
  await olga.getByLabel('Slack token').fill('xoxp-wrong')
  await olga.getByRole('button', { name: 'Try again' }).click()
  await expect(olga.getByText('Slack does not know this token.')).toBeVisible()
  await olga.getByLabel('Slack token').fill(slack.token)
  await olga.getByRole('button', { name: 'Try again' }).click()
  const missing = olga.getByRole('region', { name: '1 file or emoji could not be fetched' })
  await expect(missing.getByText('gone.pdf')).toBeVisible()

  await olga.goto('/dashboard')
  await olga
    .getByRole('link', { name: /harbour/ })
    .first()
    .click()
  const message = olga.getByRole('article').filter({ hasText: 'The new pier' })
  await expect(message.locator('img[src*="thumbnails"]')).toBeVisible()
  await expect(message.getByText('gone.pdf')).toBeVisible()

  await olga.goto('/admin/import')
  await olga.getByRole('button', { name: 'Undo import' }).click()
  await expect(olga.getByRole('dialog')).toContainText('Nobody has written there')
})
