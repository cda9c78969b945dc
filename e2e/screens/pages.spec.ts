import type { Page } from '@playwright/test'
import {
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  showChannel,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { keepNothing } from '../support/settings.ts'
import { signOut, welcome } from '../support/signing-out.ts'

/** Fills in the sign-in page. */
async function signIn(page: Page, login: string, password = 'correct horse') {
  await page.getByLabel('Email or username').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a signed-out visitor reaches only the signed-out pages, and signs in by username or email to where a link leads', async ({
  page,
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const { user } = await (await ada.request.get('/api/auth/get-session')).json()
  const name = uniqueName('linked')
  const link = `/channels/${await createChannel(ada, name)}`
  for (const address of ['/dashboard', '/dashboard/deeper', '/no/such/page', link]) {
    await page.goto(address)
    await expect(page).toHaveURL(/\/$/)
    await expect(welcome(page)).toBeVisible()
  }
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/sign-up$/)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect(welcome(page)).toBeVisible()
  expect((await page.locator('form').boundingBox())?.width).toBe(400)

  await page.goto(link)
  await signIn(page, user.username, 'wrong password')
  await expect(page.getByRole('alert')).toHaveText('Wrong username or password')
  await expect(page.getByLabel('Email or username')).toHaveValue(user.username)
  await signIn(page, user.username)
  await expect(page).toHaveURL(new RegExp(`${link}$`))
  await expect(page.getByRole('heading', { name })).toBeVisible()

  // Until then, unsent messages cannot be counted, and signing out asks.
  await untilPreloaded(page, 'outbox-database')
  await signOut(page)
  await expect(welcome(page)).toBeVisible()
  await expect.poll(async () => (await page.request.get('/api/auth/token')).status()).toBe(401)
  await signIn(page, user.email)
  await expect(composer(page)).toBeVisible()

  // For signed-in users, the signed-out pages lead to the last open channel.
  await openGeneral(page)
  await showChannel(page, link.split('/').at(-1) as string, name)
  for (const address of ['/', '/sign-in']) {
    await page.goto(address)
    await expect(page).toHaveURL(new RegExp(`${link}$`))
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
})

test('each loading state says what it waits for', { tag: '@long' }, async ({ page, person }) => {
  /** Holds back matching requests of a page until the returned function is called. */
  const hold = async (pattern: string, on = page) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await on.route(pattern, async (route) => {
      await held
      // The page may have been left in the meantime.
      await route.continue().catch(() => {})
    })
    return release
  }
  const tellSession = await hold('**/api/auth/get-session')
  await page.goto('/')
  await expect(page.getByText('Loading Parley...')).toBeVisible()
  await page.goto('/sign-in')
  await expect(page.getByText('Loading authentication...')).toBeVisible()
  tellSession()
  await expect(welcome(page)).toBeVisible()

  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  const giveToken = await hold('**/api/auth/token', ada)
  const listChannels = await hold('**/api/channels?**', ada)
  const listMessages = await hold('**/api/messages/channel/**', ada)
  await ada.reload()
  await expect(ada.getByText('Setting up authentication...')).toBeVisible()
  giveToken()
  await expect(ada.getByText('Fetching channels...')).toBeVisible()
  listChannels()
  await expect(ada.getByText('Fetching messages...')).toBeVisible()
  listMessages()
  await expect(composer(ada)).toBeVisible()
  await expect(ada.getByText('Fetching messages...')).toHaveCount(0)
})

test('a session ended elsewhere leads to the sign-in page, and typed text returns afterwards', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  await createChannel(ada, uniqueName('again'))
  await composer(ada).fill('half a thought')
  await ada.request.post('/api/auth/sign-out', { data: {}, headers: { origin: new URL(ada.url()).origin } })
  await expect(welcome(ada)).toBeVisible()
  await signIn(ada, username)
  await expect(composer(ada)).toHaveValue('half a thought')
  await say(ada, 'here again')
  await expect(message(ada, 'here again')).toBeVisible()
})

test('a channel that is missing or not mine to read says so', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const eve = await person('Eve Adams', { open: false })
  const name = uniqueName('secret')
  const id = await createChannel(ada, name, { isPrivate: true })
  await eve.goto(`/channels/${id}`)
  await expect(eve.getByText('Channel not found')).toBeVisible()
  await expect(eve.getByRole('link', { name: /^general/ })).toBeVisible()
  await expect(eve.getByRole('link', { name })).toHaveCount(0)
})
