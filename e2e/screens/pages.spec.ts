import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { keepNothing } from '../support/settings.ts'

test('a signed-out visitor reaches only the signed-out pages', async ({ page }) => {
  for (const address of [
    '/dashboard',
    '/dashboard/deeper',
    '/channels/0199a1de-0000-7000-8000-000000000000',
    '/no/such/page',
  ]) {
    await page.goto(address)
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/sign-up$/)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect((await page.locator('form').boundingBox())?.width).toBe(400)
})

test('a signed-in user is redirected from the signed-out pages to the last open channel', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('last')
  await createChannel(ada, name)
  for (const address of ['/', '/sign-in']) {
    await ada.goto(address)
    await expect(ada).toHaveURL(/\/channels\//)
    await expect(ada.getByRole('heading', { name })).toBeVisible()
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
      // The page may have been left meanwhile.
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
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()

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

test('sign-in works by username and by email; a wrong password keeps the typed text', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { user } = await (await ada.request.get('/api/auth/get-session')).json()
  // Before, what is unsent cannot be counted, and signing out asks.
  await untilPreloaded(ada, 'outbox-database')
  for (const login of [user.username, user.email]) {
    await ada.getByRole('button', { name: 'Sign Out' }).click()
    await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect.poll(async () => (await ada.request.get('/api/auth/token')).status()).toBe(401)
    await ada.getByLabel('Email or username').fill(login)
    await ada.getByLabel('Password', { exact: true }).fill('wrong password')
    await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(ada.getByRole('alert')).toHaveText('Wrong username or password')
    await expect(ada.getByLabel('Email or username')).toHaveValue(login)
    await ada.getByLabel('Password', { exact: true }).fill('correct horse')
    await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(composer(ada)).toBeVisible()
  }
})

test('a link to a channel leads there after signing in', async ({ person, browser, server }) => {
  const ada = await person('Ada Lovelace')
  const { user } = await (await ada.request.get('/api/auth/get-session')).json()
  await createChannel(ada, uniqueName('linked'))
  const link = new URL(ada.url()).pathname
  const elsewhere = await (await browser.newContext({ baseURL: server.address })).newPage()
  await elsewhere.goto(link)
  await elsewhere.getByLabel('Email or username').fill(user.username)
  await elsewhere.getByLabel('Password', { exact: true }).fill('correct horse')
  await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(elsewhere).toHaveURL(new RegExp(`${link}$`))
  await elsewhere.context().close()
})

test('a session ended elsewhere leads to the sign-in page, and typed text returns afterwards', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { user } = await (await ada.request.get('/api/auth/get-session')).json()
  await createChannel(ada, uniqueName('again'))
  const cookies = await ada.context().cookies()
  await ada.request.post('/api/auth/sign-out', { data: {}, headers: { origin: new URL(ada.url()).origin } })
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  expect(cookies.length).toBeGreaterThan(0)
  await ada.getByLabel('Email or username').fill(user.username)
  await ada.getByLabel('Password', { exact: true }).fill('correct horse')
  await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
  await say(ada, 'here again')
  await expect(message(ada, 'here again')).toBeVisible()
})

test('a channel that is missing or not mine to read says so', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const eve = await person('Eve Adams')
  const name = uniqueName('secret')
  await createChannel(ada, name, { isPrivate: true })
  await eve.goto(new URL(ada.url()).pathname)
  await expect(eve.getByText('Channel not found')).toBeVisible()
  await expect(eve.getByRole('link', { name })).toHaveCount(0)
})

test('a page that crashes offers to try again', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await ada.route('**/api/channels?**', (route) =>
    route.fulfill({ json: { channels: [{ id: 'broken' }], directMessages: [], pagination: { hasMore: false } } }),
  )
  await ada.reload()
  await expect(ada.getByText('Something went wrong')).toBeVisible()
  await ada.unroute('**/api/channels?**')
  await ada.getByRole('button', { name: 'Try again' }).click()
})

test('the phone’s drawer traps the focus and returns it', async ({ person }) => {
  const ada = await person('Ada Lovelace', { viewport: { width: 390, height: 844 } })
  const button = ada.getByRole('button', { name: 'Show channels' })
  await button.click()
  await expect(ada.getByRole('complementary')).toBeFocused()
  await expect(ada.getByRole('main')).toHaveAttribute('inert')
  await ada.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await button.click()
  await ada.getByRole('link', { name: /^general/ }).click()
  await expect(ada.getByRole('main')).not.toHaveAttribute('inert')
})
