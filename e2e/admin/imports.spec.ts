import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/fixtures.ts'
import { picture } from '../support/pictures.ts'

/** A workspace in Slack's export format. */
async function slackArchive() {
  const zip = new ZipFile()
  const add = (name: string, value: unknown) => zip.addBuffer(Buffer.from(JSON.stringify(value)), name)
  zip.addBuffer(await picture(64, 64), 'emojis/anchor_up.png')
  const user = (id: string, name: string, real: string) => ({
    ...{ id, name, real_name: real, deleted: false, is_bot: false },
    profile: { real_name: real, display_name: real, email: `${name}@example.org` },
  })
  const channel = (id: string, name: string, topic: string, more = {}) => ({
    ...{ id, name, created: 1_600_000_000, creator: 'U1', is_archived: false, members: ['U1', 'U2'] },
    ...{ topic: { value: topic }, purpose: { value: '' }, ...more },
  })
  const said = (ts: string, userId: string, text: string, more = {}) => ({
    type: 'message',
    ts,
    user: userId,
    text,
    ...more,
  })
  add('users.json', [user('U1', 'mia', 'Mia Sand'), user('U2', 'tom', 'Tom Reed')])
  const pin = { id: '1614848460.000100', type: 'C', created: 1_614_850_000, user: 'U2', owner: 'U1' }
  add('channels.json', [
    channel('C1', 'general', 'Company news', { pins: [pin] }),
    channel('C2', 'harbour', 'Boats and piers', { is_archived: true }),
  ])
  add('general/2021-03-04.json', [
    said('1614848460.000100', 'U1', 'Good morning <@U2> :anchor_up:', {
      reactions: [{ name: 'anchor_up', users: ['U2'], count: 1 }],
    }),
    { ...said('1614848470.000100', 'U1', '<@U1> has joined the channel'), subtype: 'channel_join' },
  ])
  add('harbour/2021-03-04.json', [
    said('1614848500.000100', 'U1', 'The *new* pier opens today', {
      reactions: [{ name: 'tada', users: ['U2'], count: 1 }],
    }),
    said('1614848560.000200', 'U2', 'See you there'),
  ])
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

test('the owner drops an archive, reads what would come, imports it, looks at it, and takes it back', {
  tag: '@long',
}, async ({ owner: olga }) => {
  await olga.goto('/admin/import')
  const chosen = olga.waitForEvent('filechooser')
  await olga.getByRole('button', { name: 'Choose archive' }).click()
  await (await chosen).setFiles({ name: 'acme.zip', mimeType: 'application/zip', buffer: await slackArchive() })
  await expect(olga.getByRole('heading', { name: 'This is what will come' })).toBeVisible()
  await expect(olga.getByText('acme.zip')).toBeVisible()
  await expect(olga.getByText('Slack · ')).toBeVisible()
  for (const fact of ['1 pinned', '2 public, 0 private, 1 archived', '1 custom emoji'])
    await expect(olga.getByText(fact)).toBeVisible()
  await expect(olga.getByLabel('New name of #general')).toHaveValue('general-slack')
  await expectAccessible(olga)
  await olga.getByLabel('New name of #general').fill('old-general')
  await olga.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(olga.getByRole('heading', { name: 'Imported', exact: true })).toBeVisible()
  const unclaimed = olga.getByRole('region', { name: 'Unclaimed accounts' })
  await expect(unclaimed.getByRole('listitem')).toHaveCount(2)

  await olga.goto('/dashboard')
  await olga
    .getByRole('link', { name: /old-general/ })
    .first()
    .click()
  const morning = olga.getByRole('article').filter({ hasText: 'Good morning @tom' })
  // In the text and as a reaction.
  await expect(morning.locator('.custom-emoji img')).toHaveCount(2)
  await expect(morning.getByRole('link', { name: 'Pinned by Tom Reed' })).toBeVisible()

  await olga.goto('/admin/import')
  await olga.getByRole('button', { name: 'Undo import' }).click()
  await olga.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(olga.getByText('Undone')).toBeVisible()
  await expect(olga.getByRole('button', { name: 'Choose archive' })).toBeVisible()
  await expect(unclaimed).toBeHidden()
  await expect(olga.getByRole('link', { name: /old-general/ })).toHaveCount(0)
})

/** A workspace in Zulip's export format: a channel with two topics. */
async function zulipArchive() {
  const zip = new ZipFile()
  const add = (name: string, value: unknown) => zip.addBuffer(Buffer.from(JSON.stringify(value)), name)
  add('realm.json', {
    zerver_realm: [{ id: 1, uuid: 'acme' }],
    zerver_userprofile: [
      { id: 1, full_name: 'Mia Sand', delivery_email: 'mia@example.org', is_active: true },
      { id: 2, full_name: 'Tom Reed', delivery_email: 'tom@example.org', is_active: true },
    ],
    zerver_stream: [{ id: 5, name: 'harbour', description: 'Boats', invite_only: false, creator: 1 }],
    zerver_recipient: [{ id: 50, type: 2, type_id: 5 }],
    zerver_subscription: [{ recipient: 50, user_profile: 1, active: true }],
  })
  const said = (id: number, sender: number, subject: string, content: string) => ({
    ...{ id, sender, recipient: 50, subject, content, date_sent: 1_706_000_000 + id },
  })
  add('messages-000001.json', {
    zerver_message: [
      said(1, 1, 'Pier', 'The new pier opens'),
      said(2, 2, 'Pier', 'At last'),
      said(3, 2, 'Lunch', 'Soup?'),
    ],
  })
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

test('the owner has the topics of Zulip become channels, and keeps what was chosen before', { tag: '@long' }, async ({
  owner: olga,
}) => {
  await olga.goto('/admin/import')
  const chosen = olga.waitForEvent('filechooser')
  await olga.getByRole('button', { name: 'Choose archive' }).click()
  await (await chosen).setFiles({ name: 'acme.zip', mimeType: 'application/zip', buffer: await zulipArchive() })
  await expect(olga.getByText('1 public, 0 private')).toBeVisible()
  await expect(olga.getByRole('radio', { name: 'Threads' })).toBeChecked()
  const account = olga.getByRole('combobox', { name: 'Account of Tom Reed' })
  await account.click()
  await olga.getByRole('option', { name: /@olga/ }).click()
  await expect(account).toContainText('@olga')
  // By keyboard, with a press too many.
  await olga.getByRole('radio', { name: 'Threads' }).focus()
  await olga.keyboard.press('ArrowRight')
  await olga.keyboard.press('Space')
  await expect(olga.getByRole('button', { name: 'Import', exact: true })).toBeHidden()
  await olga.getByRole('button', { name: 'Read the archive again' }).press('Enter')
  await expect(olga.getByText('3 public, 0 private')).toBeVisible()
  await expect(olga.getByRole('radio', { name: 'Channels' })).toBeChecked()
  await expect(account).toContainText('@olga')
  await expectAccessible(olga)
  await olga.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(olga.getByRole('heading', { name: 'Imported', exact: true })).toBeVisible()

  await olga.goto('/channels')
  await olga.getByRole('link', { name: 'harbour: Pier' }).click()
  await expect(olga.getByRole('article').filter({ hasText: 'At last' })).toBeVisible()
})
