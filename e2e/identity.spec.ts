import { composer, createChannel, expect, message, say, test, usernameOf } from './people.ts'

test('when somebody else signs in in another tab, this tab becomes theirs, and nothing goes out in the wrong name', async ({
  person,
  line,
}) => {
  const ada = await person('Ada Lovelace', { address: line.address })
  const bob = await person('Bob Kahn')
  const { user } = await (await bob.request.get('/api/auth/get-session')).json()
  const name = usernameOf('diary')
  await createChannel(ada, name, { isPrivate: true })
  await ada.route('**/api/messages', (route) => route.abort())
  await say(ada, 'dear diary')
  await expect(message(ada, 'dear diary')).toContainText('Queued')

  const origin = new URL(ada.url()).origin
  await ada.request.post('/api/auth/sign-out', { data: {}, headers: { origin } })
  const data = { username: user.username, password: 'correct horse' }
  expect((await ada.request.post('/api/auth/sign-in/username', { data, headers: { origin } })).status()).toBe(200)
  await ada.unroute('**/api/messages')

  await expect(ada.getByTitle(/^Bob Kahn/)).toBeVisible({ timeout: 15_000 })
  await expect(ada.getByRole('link', { name })).toHaveCount(0)
  await expect(ada.getByText('dear diary')).toHaveCount(0)
  await ada.getByRole('link', { name: /^general/ }).click()
  await expect(composer(ada)).toHaveValue('')
})

test('signing out with unsent messages asks first', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await ada.route('**/api/messages', (route) => route.abort())
  await say(ada, 'not yet')
  await expect(message(ada, 'not yet')).toContainText('Queued')
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByText('One message was not sent yet.')).toBeVisible()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await expect(message(ada, 'not yet')).toBeVisible()
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await ada.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(ada).toHaveTitle('Parley')
})

test('the next person on the same browser starts in a place of their own', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { user } = await (await bob.request.get('/api/auth/get-session')).json()
  await createChannel(ada, usernameOf('founders'), { isPrivate: true })
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await ada.getByLabel('E-mail or username').fill(user.username)
  await ada.getByLabel('Password', { exact: true }).fill('correct horse')
  await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
})

test('my other tab knows at once what I made and joined', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const other = await bob.context().newPage()
  await other.goto('/')
  const [made, joined] = [usernameOf('made'), usernameOf('joined')]
  await createChannel(bob, made, { isPrivate: true })
  await other.getByRole('link', { name: new RegExp(made) }).click()
  await expect(composer(other)).toBeVisible()
  await createChannel(ada, joined)
  for (const page of [bob, other]) await page.getByRole('link', { name: new RegExp(joined) }).click()
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(other)).toBeVisible()
})
