import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, expect, test, uniqueName, userOn } from '../support/fixtures.ts'

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const create = (page: Page) => page.getByRole('button', { name: 'Create account' })
const errors = (page: Page) => page.getByRole('alert').allInnerTexts()

test('a sign-up says all that is wrong at once, at its fields, and keeps what was typed; so does a sign-in', async ({
  page,
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const { username } = await userOn(ada)
  await page.goto('/sign-up')
  await expect(field(page, 'Username')).toHaveAccessibleDescription(/^3 to 30 letters/)
  await create(page).click()
  await expect
    .poll(() => errors(page))
    .toEqual(['Choose a username', 'Enter your email address', 'Use at least 8 characters'])
  await expect(field(page, 'Username')).toBeFocused()
  for (const name of ['Username', 'Email', 'Password'])
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Enter your email address')
  await expect(field(page, 'Name')).not.toHaveAttribute('aria-invalid')
  await expectAccessible(page, 'errors')

  // An error disappears once its field is edited; a name suggests a username.
  await field(page, 'Name').fill('Zoë Kravitz')
  await expect(field(page, 'Username')).toHaveValue('zoe')
  await field(page, 'Email').fill('zoe at home')
  await expect.poll(() => errors(page)).toEqual(['Use at least 8 characters'])
  await field(page, 'Password').fill('correct horse')
  await create(page).click()
  await expect.poll(() => errors(page)).toEqual(["This isn't a valid email address"])
  await expect(field(page, 'Email')).toBeFocused()

  // The server's errors are also shown at their fields.
  await field(page, 'Username').fill(username)
  await field(page, 'Email').fill(`${uniqueName('zoe')}@example.com`)
  await create(page).click()
  await expect(page.getByRole('alert')).toHaveText('This username is taken')
  await expect(field(page, 'Username')).toBeFocused()
  await expect(field(page, 'Password')).toHaveValue('correct horse')
  const free = uniqueName('zoe')
  await field(page, 'Username').fill(free)
  // Typed text is never overwritten.
  await field(page, 'Name').fill('Zoë Isabella Kravitz')
  await expect(field(page, 'Username')).toHaveValue(free)
  await create(page).click()
  await expect(composer(page)).toBeVisible()
  expect(await userOn(page)).toMatchObject({ name: 'Zoë Isabella Kravitz', username: free })

  // A sign-in asks for what is missing; without mail, the owner helps with a forgotten password.
  await page.context().clearCookies()
  await page.goto('/forgot-password')
  await expect(page.getByText('This server sends no mail')).toBeVisible()
  await page.goto('/sign-in')
  await expect(page.getByText('Forgot your password? Ask the owner or an admin for a password link.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => errors(page)).toEqual(['Enter your email or username', 'Enter your password'])
  await expect(field(page, 'Email or username')).toBeFocused()
  await field(page, 'Email or username').fill('ada')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => errors(page)).toEqual(['Enter your password'])
  await expect(field(page, 'Password')).toBeFocused()
})
