import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { callApi, composer, expect, message, say, test } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'

/** A browser on another machine, as a proxy says. */
const ELSEWHERE = { extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.7' } }

async function visit(browser: Browser, baseURL: string, path: string, options = {}) {
  const page = await (await browser.newContext({ baseURL, ...options })).newPage()
  await page.goto(path)
  return page
}

async function signUp(page: Page, name: string, username: string) {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const setUp = (page: Page) => title(page, 'Set up your workspace')

test('who opens a new Parley on its own machine becomes the owner, names it, and brings the first colleague', {
  tag: '@long',
}, async ({ browser }) => {
  const parley = await startServer()
  try {
    const ada = await visit(browser, parley.address, '/')
    await expect(ada).toHaveURL('/sign-up')
    await expect(ada.getByText('so you become the owner of this workspace')).toBeVisible()
    await signUp(ada, 'Ada Lovelace', 'ada')

    await expect(setUp(ada)).toBeVisible()
    await expect(ada.getByRole('radio', { name: 'Invited people' })).toBeChecked()
    await expectAccessible(ada)
    await ada.reload()
    await ada.getByLabel('What is your team called?').fill('Analytical Engines')
    await ada.getByRole('button', { name: 'Create invite link' }).click()
    const link = await ada.getByLabel('Invite link', { exact: true }).inputValue()
    await ada.getByRole('button', { name: 'Open workspace' }).click()
    await expect(composer(ada)).toBeVisible()
    await expect(ada.getByRole('region', { name: 'Welcome to Analytical Engines, Ada.' })).toBeVisible()
    await say(ada, 'The engine has no pretensions')
    await ada.reload()
    await expect(composer(ada)).toBeVisible()

    const bob = await visit(browser, parley.address, '/sign-up')
    await expect(title(bob, 'You need an invite')).toBeVisible()
    await bob.goto(new URL(link).pathname)
    await expect(title(bob, 'Join Analytical Engines')).toBeVisible()
    await signUp(bob, 'Bob', 'bob')
    await expect(bob.getByText('The engine has no pretensions')).toBeVisible()

    // The rule can be changed later, and holds at once.
    await ada.goto('/admin/settings')
    const nobody = ada.getByRole('radio', { name: 'Nobody' })
    await nobody.check()
    await ada.locator('form').filter({ has: nobody }).getByRole('button', { name: 'Save' }).click()
    await expect(ada.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
    const cyd = await visit(browser, parley.address, '/sign-up')
    await expect(title(cyd, 'Sign-up is closed')).toBeVisible()
  } finally {
    await parley.remove()
  }
})

test('from another machine only the printed link makes an owner, and only once', { tag: '@long' }, async ({
  browser,
}) => {
  const parley = await startServer()
  try {
    const eve = await visit(browser, parley.address, '/', ELSEWHERE)
    await expect(title(eve, 'Nobody owns this workspace yet')).toBeVisible()
    await expect(eve.getByRole('textbox')).toHaveCount(0)
    await expectAccessible(eve)
    await eve.goto('/sign-up')
    await expect(title(eve, 'Nobody owns this workspace yet')).toBeVisible()

    const ada = await visit(browser, parley.address, parley.ownerLink.slice(0, -1), ELSEWHERE)
    await expect(title(ada, "This link isn't the owner's link")).toBeVisible()
    await ada.goto('about:blank')
    await ada.goto(parley.ownerLink)
    await signUp(ada, 'Ada Lovelace', 'ada')
    await expect(setUp(ada)).toBeVisible()
    await ada.getByRole('button', { name: 'Open workspace' }).click()
    await expect(composer(ada)).toBeVisible()

    await eve.goto('about:blank')
    await eve.goto(parley.ownerLink)
    await expect(title(eve, 'This workspace has an owner already')).toBeVisible()
    await eve.goto('/sign-in')
    await expect(title(eve, 'Welcome back')).toBeVisible()
  } finally {
    await parley.remove()
  }
})

test('the owner looks around the demo, and empties it with a click; a colleague loses it at the same time', {
  tag: '@long',
}, async ({ browser }) => {
  const parley = await startServer()
  try {
    const zoe = await visit(browser, parley.address, '/')
    await signUp(zoe, 'Zoe Owner', 'zoe')
    await zoe.getByRole('button', { name: 'Look around a demo' }).click()
    const banner = zoe.getByRole('region', { name: /^This workspace is a demo/ })
    await expect(banner).toBeVisible()
    await expect(zoe).toHaveTitle(/Gangway/)
    await expectAccessible(zoe)
    await zoe.getByRole('link', { name: /launch/ }).click()
    await expect(zoe.getByRole('article').first()).toBeVisible()
    await say(zoe, 'Nice ferries')
    const invite = await callApi(zoe, 'POST', '/api/invites', { days: 1, maxUses: 1 })
    const bob = await visit(browser, parley.address, `/invite/${invite.code}`)
    await signUp(bob, 'Bob', 'bobby')
    await expect(bob.getByRole('region', { name: /^This workspace is a demo/ })).toBeVisible()
    await expect(bob.getByRole('button', { name: 'Empty it' })).toHaveCount(0)

    await zoe.reload()
    await banner.getByRole('button', { name: 'Empty it' }).click()
    const question = zoe.getByRole('alertdialog').or(zoe.getByRole('dialog'))
    await expect(question).toContainText('1 message by you')
    await question.getByRole('button', { name: 'Empty it' }).click()
    await expect(setUp(zoe)).toBeVisible()
    await zoe.getByRole('button', { name: 'Open workspace' }).click()
    await expect(zoe.getByRole('navigation').getByRole('link', { name: /launch/ })).toHaveCount(0)
    await expect(zoe.getByRole('region', { name: /^This workspace is a demo/ })).toHaveCount(0)
    await expect(bob.getByRole('region', { name: /^This workspace is a demo/ })).toHaveCount(0)
    await expect(bob.getByRole('link', { name: /launch/ })).toHaveCount(0)
    await expect(bob.getByRole('article')).toHaveCount(0)
    await say(bob, 'a fresh start')
    await expect(message(zoe, 'a fresh start')).toBeVisible()
  } finally {
    await parley.remove()
  }
})
