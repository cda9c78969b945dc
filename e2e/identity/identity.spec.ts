import type { Page } from '@playwright/test'
import {
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'

async function signInAs(page: Page, username: string) {
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('when another user signs in in a second tab, this tab becomes theirs, and nothing is sent under the wrong name', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const bob = await person('Bob Kahn', { open: false })
  const { user } = await (await bob.request.get('/api/auth/get-session')).json()
  const name = uniqueName('diary')
  await createChannel(ada, name, { isPrivate: true })
  await ada.route('**/api/messages', (route) => route.abort())
  await say(ada, 'dear diary')
  await expect(message(ada, 'dear diary')).toContainText('Waiting to send')
  await composer(ada).fill('and another thing')
  const hers = await userOn(ada)

  // However long it takes to sign him in: meanwhile the page would find nobody signed in.
  const { promise: signedIn, resolve: letAsk } = Promise.withResolvers<void>()
  await ada.route('**/api/auth/**', async (route) => {
    await signedIn
    await route.continue()
  })
  const origin = new URL(ada.url()).origin
  await ada.request.post('/api/auth/sign-out', { data: {}, headers: { origin } })
  const data = { username: user.username, password: 'correct horse' }
  expect((await ada.request.post('/api/auth/sign-in/username', { data, headers: { origin } })).status()).toBe(200)
  letAsk()
  await ada.unroute('**/api/messages')

  await expect(ada.getByTitle(/^Bob Kahn/)).toBeVisible()
  await expect(ada.getByRole('link', { name })).toHaveCount(0)
  await expect(ada.getByText('dear diary')).toHaveCount(0)
  await openGeneral(ada)
  await expect(composer(ada)).toHaveValue('')
  await say(ada, 'in my own name')
  await expect(message(ada, 'in my own name')).toContainText('Bob Kahn')

  // Her message waited for her.
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await signInAs(ada, hers.username)
  await ada.getByRole('link', { name }).click()
  await expect(message(ada, 'dear diary')).toContainText('Ada Lovelace')
  await expect(message(ada, 'dear diary').getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await expect(composer(ada)).toHaveValue('and another thing')
})

test('signing out with unsent messages asks first', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('unsent')
  await createChannel(ada, name)
  await ada.route('**/api/messages', (route) => route.abort())
  const { username } = await userOn(ada)
  await say(ada, 'not yet')
  await expect(message(ada, 'not yet')).toContainText('Waiting to send')
  await composer(ada).fill('half a thought')
  // Before, what is unsent cannot be counted.
  await untilPreloaded(ada, 'outbox-database')
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByText('Not sent yet: 1 message and 1 draft.')).toBeVisible()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await expect(message(ada, 'not yet')).toBeVisible()
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await ada.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(ada).toHaveTitle('Parley')

  await expect.poll(() => ada.evaluate(() => JSON.stringify(localStorage))).not.toContain('half a thought')
  await ada.unroute('**/api/messages')
  await signInAs(ada, username)
  await ada.getByRole('link', { name }).click()
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(composer(ada)).toHaveValue('')
  await say(ada, 'said later')
  await expect(message(ada, 'said later')).toBeVisible()
  await expect(message(ada, 'not yet')).toHaveCount(0)
})

test('my other tab shows at once the channels I create and join', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const other = await bob.context().newPage()
  await other.goto('/')
  const [made, joined] = [uniqueName('made'), uniqueName('joined')]
  await createChannel(bob, made, { isPrivate: true })
  await other.getByRole('link', { name: new RegExp(made) }).click()
  await expect(other.getByRole('heading', { name: made })).toBeVisible()
  await expect(composer(other)).toBeVisible()
  await createChannel(ada, joined)
  for (const page of [bob, other]) {
    await page.getByRole('link', { name: new RegExp(joined) }).click()
    await expect(page.getByRole('heading', { name: joined })).toBeVisible()
  }
  await expect(composer(other)).toHaveCount(0)
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(other)).toBeVisible()
})
