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
import { signInAs, signOut } from '../support/signing-out.ts'

test('when another user signs in in a second tab, this tab becomes theirs, and nothing is sent under the wrong name', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const bob = await person('Bob Kahn', { open: false })
  const user = await userOn(bob)
  const name = uniqueName('diary')
  await createChannel(ada, name, { isPrivate: true })
  await ada.route('**/api/messages', (route) => route.abort())
  await say(ada, 'dear diary')
  await expect(message(ada, 'dear diary')).toContainText('Waiting to send')
  await composer(ada).fill('and another thing')
  const hers = await userOn(ada)

  // Regardless of how long his sign-in takes: in the meantime the page would find nobody signed in.
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

  // Her message is still pending for her.
  await signOut(ada)
  await signInAs(ada, hers.username)
  await ada.getByRole('link', { name }).click()
  await expect(message(ada, 'dear diary')).toContainText('Ada Lovelace')
  await expect(message(ada, 'dear diary').getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await expect(composer(ada)).toHaveValue('and another thing')
})
