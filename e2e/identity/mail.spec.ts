import type { BrowserContext } from '@playwright/test'
import { startMailServer } from '../../server/test/services/mail-server.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, expect, openAsOwner, test, userOn } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { openSettings } from '../support/settings.ts'

let parley: Awaited<ReturnType<typeof startServer>>
let smtp: Awaited<ReturnType<typeof startMailServer>>
let owner: Awaited<ReturnType<BrowserContext['storageState']>>
test.describe.configure({ mode: 'default' })
test.beforeAll(async ({ browser }) => {
  smtp = await startMailServer()
  parley = await startServer((address) => ({
    SMTP_URL: smtp.url(),
    MAIL_FROM: 'chat@example.com',
    PUBLIC_URL: address,
  }))
  // The first person owns the workspace.
  const olga = await openAsOwner(browser, parley.address)
  owner = await olga.context().storageState()
  await olga.context().close()
})
test.afterAll(async () => {
  await parley.remove()
  await smtp.stop()
})

/** The newest mail to an address with a given subject. */
async function mailTo(email: string, subject: string) {
  const find = () => smtp.received.findLast((it) => it.to === email && it.header('Subject') === subject)
  await expect.poll(() => find() !== undefined).toBe(true)
  return find()?.text ?? ''
}
const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

test('a forgotten password is set anew with a link that comes by mail', { tag: '@long' }, async ({
  person,
  browser,
}) => {
  const ada = await person('Ada Lovelace', { address: parley.address })
  const { username } = await userOn(ada)
  const email = `${username}@example.com`
  const page = await (await browser.newContext({ baseURL: parley.address })).newPage()
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('alert')).toHaveText("This isn't a valid email address")
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await expect(page.getByRole('status')).toContainText(email)
  await expectAccessible(page)

  const link = linkIn(await mailTo(email, 'Set a new password'))
  await page.goto(link)
  await expect(page.getByText(`@${username}`)).toBeVisible()
  await page.getByLabel('New password').fill('battery staple')
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(composer(page)).toBeVisible()
  await expect(ada).toHaveURL(/\/sign-in$/)

  await ada.goto(link)
  await expect(ada.getByRole('heading', { name: 'This link has ended' })).toBeVisible()
  await ada.getByRole('link', { name: 'Ask for a new one' }).click()
  await expect(ada.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.context().close()
})

test('the owner invites people by mail, sees that it was sent, and sends it again', { tag: '@long' }, async ({
  browser,
}) => {
  const olga = await (await browser.newContext({ baseURL: parley.address, storageState: owner })).newPage()
  await olga.goto('/admin/people')
  const invites = olga.getByRole('region', { name: 'Invite people' })
  const addresses = invites.getByLabel('Or send invites by mail')
  await addresses.fill('guest.one@example.com, nonsense')
  await invites.getByRole('button', { name: 'Send invites' }).click()
  await expect(invites.getByRole('alert')).toHaveText("nonsense isn't an email address")
  await addresses.fill('Guest.One@example.com')
  await invites.getByRole('button', { name: 'Send invites' }).click()
  await expect(invites.getByText('1 invite is on its way')).toBeVisible()
  const row = invites.getByRole('list', { name: 'Invite links' }).getByRole('listitem')
  await expect(row).toContainText(/guest\.one@example\.com · sent /)
  await expectAccessible(olga)
  const sent = () => smtp.received.filter(({ to }) => to === 'guest.one@example.com')
  await row.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => sent().length).toBe(2)

  const link = linkIn(await mailTo('guest.one@example.com', 'Olga Owner invites you to Parley'))
  const guest = await (await browser.newContext({ baseURL: parley.address })).newPage()
  await guest.goto(link)
  await expect(guest.getByLabel('Email')).toHaveValue('guest.one@example.com')
  await guest.getByLabel('Name', { exact: true }).fill('Guest One')
  await guest.getByLabel('Password', { exact: true }).fill('correct horse')
  await guest.getByRole('button', { name: 'Create account' }).click()
  await expect(composer(guest)).toBeVisible()
  await guest.context().close()
  await olga.context().close()
})

test('an address is confirmed by a link, and changed with the password and a link', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Byron', { address: parley.address })
  const { username } = await userOn(ada)
  const email = `${username}@example.com`
  const bar = ada.getByRole('region', { name: 'Confirm your address' })
  await expect(bar).toContainText(email)
  const link = linkIn(await mailTo(email, 'Confirm your email address'))
  const tab = await ada.context().newPage()
  await tab.goto(link)
  await expect(tab.getByText(`@${username}`)).toBeVisible()
  await tab.getByRole('button', { name: 'Confirm' }).click()
  await expect(tab.getByRole('heading', { name: 'Address confirmed' })).toBeVisible()
  // It disappears in all tabs.
  await expect(bar).toHaveCount(0)
  // Forces a reload, because only the fragment differs.
  await tab.goto('about:blank')
  await tab.goto(link)
  await expect(tab.getByRole('heading', { name: 'This link has ended' })).toBeVisible()

  const dialog = await openSettings(ada, 'Email')
  await expect(dialog.getByText('Confirmed')).toBeVisible()
  const wanted = `new.${email}`
  await dialog.getByLabel('New address').fill(wanted)
  await dialog.getByLabel('Current password').fill('not the right one')
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This is not your current password')
  await dialog.getByLabel('Current password').fill('correct horse')
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await expect(dialog.getByText('replaces it once you follow the link')).toContainText(wanted)
  await expectAccessible(ada)
  await mailTo(email, 'Your email address is about to change')
  await tab.goto('about:blank')
  await tab.goto(linkIn(await mailTo(wanted, 'Confirm your new email address')))
  await tab.getByRole('button', { name: 'Confirm' }).click()
  await expect(tab.getByRole('heading', { name: 'Address confirmed' })).toBeVisible()
  await expect(tab.getByText(wanted)).toBeVisible()
  await tab.goto('/')
  await expect(composer(tab)).toBeVisible()
  const later = await openSettings(tab, 'Email')
  await expect(later.getByText(wanted)).toBeVisible()
  await expect(later.getByText('replaces it')).toHaveCount(0)
})

test('a pending address is cancelled in the settings; what is mailed is chosen there, and stopped by a link', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Pending', { address: parley.address })
  const { username } = await userOn(ada)
  const dialog = await openSettings(ada, 'Email')
  await dialog.getByLabel('New address').fill(`other.${username}@example.com`)
  await dialog.getByLabel('Current password').fill('correct horse')
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await dialog.getByRole('button', { name: 'Cancel change' }).click()
  await expect(dialog.getByLabel('New address')).toBeVisible()
  await expect(dialog.getByText(`${username}@example.com`)).toBeVisible()

  const choice = (name: string) => dialog.getByRole('checkbox', { name })
  await expect(choice('Mentions')).toBeChecked()
  await expect(choice('A summary once a week')).not.toBeChecked()
  await dialog.getByText('A summary once a week').click()
  await expect(choice('A summary once a week')).toBeChecked()
  await expect
    .poll(async () => (await callApi(ada, 'GET', '/api/mail-rules')).digest, { message: 'the choice is stored' })
    .toBe(true)

  const tab = await ada.context().newPage()
  await tab.goto('/stop-mail#mentions.bm9ib2R5.made-up')
  await tab.getByRole('button', { name: 'Stop' }).click()
  await expect(tab.getByRole('alert')).toBeVisible()
  await expectAccessible(tab)
})
