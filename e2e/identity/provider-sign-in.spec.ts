import type { Page } from '@playwright/test'
import { type StandIn, startProvider } from '../../server/test/services/identity-provider.ts'
import { composer, expect, signUpOwner, test } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { startServer } from '../support/server.ts'

let provider: StandIn
let parley: Awaited<ReturnType<typeof startServer>>

test.beforeAll(async () => {
  provider = await startProvider({
    mei: { email: 'mei@example.com', email_verified: true, name: 'Mei Lin', preferred_username: 'mei' },
    noname: {},
  })
  parley = await startServer(provider.settings)
  await signUpOwner(parley.address)
})
test.afterAll(async () => {
  await parley.remove()
  provider.close()
})

const button = (page: Page) => page.getByRole('button', { name: 'Continue with Example ID' })

async function comeBackAs(page: Page, name: string) {
  await button(page).click()
  await page.getByLabel('Who are you?').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

// Otherwise each worker would start a separate server.
test.describe.configure({ mode: 'default' })

test('signing in through the provider leads to the requested page and signing out works; no foreign script runs', {
  tag: '@long',
}, async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: parley.address })).newPage()
  const complaints: string[] = []
  page.on('console', (line) => /Content Security Policy/.test(line.text()) && complaints.push(line.text()))
  await page.goto('/sign-up')
  await expect(button(page)).toBeVisible()
  expect((await button(page).boundingBox())?.width).toBe(400)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await comeBackAs(page, 'mei')
  await expect(page.getByRole('heading', { name: 'general' })).toBeVisible()
  await expect(page.getByTitle('Mei Lin (@mei)')).toBeVisible()
  const link = new URL(page.url()).pathname

  // Until then, unsent messages cannot be counted.
  await untilPreloaded(page, 'outbox-database')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  // The provider asks whether to end its own session as well, then redirects back.
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(page).toHaveURL('/sign-in')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect.poll(async () => (await page.request.get('/api/auth/token')).status()).toBe(401)
  await page.goto(link)
  await comeBackAs(page, 'mei')
  await expect(page).toHaveURL(new RegExp(`${link}$`))
  await expect(composer(page)).toBeVisible()
  expect(complaints).toEqual([])

  const ran = await page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'window.ranInline = true'
    document.body.append(script)
    const frame = document.createElement('iframe')
    frame.src = 'https://evil.example/'
    document.body.append(frame)
    // In a timer, because the policy does not apply to code that Playwright evaluates directly.
    const evaluated = await new Promise((resolve) =>
      setTimeout(() => {
        try {
          resolve(new Function('return true')())
        } catch {
          resolve(false)
        }
      }),
    )
    return { inline: 'ranInline' in window, evaluated }
  })
  expect(ran).toEqual({ inline: false, evaluated: false })
  await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(2)
  await page.context().close()
})

test('the sign-in page shows what went wrong at the provider', { tag: '@long' }, async ({ browser }) => {
  const page = await (await browser.newContext({ baseURL: parley.address })).newPage()
  await page.goto('/sign-in')
  await comeBackAs(page, 'noname')
  await expect(page.getByRole('alert')).toHaveText("Example ID didn't share your email address, which Parley needs")
  await page.goto('/sign-in?error=%3Cimg%20src=x%3E')
  await expect(page.getByRole('alert')).toHaveText("Signing in with Example ID didn't work. Try again in a moment.")
  await page.goto('/sign-in')
  provider.setAway(true)
  // The server caches the provider's configuration for ten seconds.
  await expect(async () => {
    await page.goto('/sign-in')
    await button(page).click()
    await expect(page.getByRole('alert')).toHaveText("Example ID isn't responding. Try again in a moment.", {
      timeout: 3000,
    })
  }).toPass()
  provider.setAway(false)
  await page.context().clearCookies()
  await comeBackAs(page, 'mei')
  await expect(composer(page)).toBeVisible()
  await page.context().close()
})
