import { callApi, composer, createChannel, expect, openGeneral, test, uniqueName, userOn } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'
import { chooseChannelAction, joinChannel, row } from '../support/sidebar.ts'

test('unread messages make a row bold and mentions are counted, on all my devices, unless the channel is muted', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const name = uniqueName('busy')
  const channelId = await createChannel(ada, name)
  const post = (content: string) => callApi(ada, 'POST', '/api/messages', { channelId, content })
  await joinChannel(bob, name)
  await openGeneral(bob)
  const weight = () => row(bob, name).evaluate((link) => Number(getComputedStyle(link).fontWeight))
  await bob.mouse.move(900, 400)
  await expect.poll(weight).toBe(400)
  await post('anybody?')
  await expect.poll(weight).toBe(600)
  await expect(row(bob, name).getByTitle('2 members')).toBeVisible()
  const { username } = await userOn(bob)
  for (const nth of [1, 2]) await post(`@${username} call ${nth}`)
  await expect(row(bob, name)).toContainText('2 mentions')
  await expect(row(bob, name).getByTitle('2 members')).toHaveCount(0)
  await bob.reload()
  await expect(row(bob, name)).toContainText('2 mentions')
  const other = await bob.context().newPage()
  await other.goto('/')
  await openGeneral(other)
  await expect(row(other, name)).toContainText('2 mentions')
  await row(bob, name).click()
  for (const page of [bob, other]) await expect(row(page, name).getByTitle('2 members')).toBeVisible()
  await openGeneral(bob)
  await expect.poll(weight).toBe(400)

  await chooseChannelAction(bob, name, 'Mute')
  for (const page of [bob, other]) await expect(row(page, name).getByLabel('Muted')).toBeVisible()
  await post('psst')
  await expect(row(bob, name)).not.toContainText('unread')
  await chooseChannelAction(other, name, 'Unmute')
  await expect(row(bob, name).getByLabel('Muted')).toHaveCount(0)
  await expect(row(bob, name)).toContainText('unread')
})

test('channels that fail to load say so and can be retried', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await ada.route('**/api/channels?**', (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden' } } }),
  )
  // With a live connection, the page would refetch automatically.
  await ada.route('**/socket.io/**', (route) => route.abort())
  await ada.goto('/dashboard')
  await expect(ada.getByRole('main').getByRole('alert')).toContainText('Failed to load channels')
  for (const name of ['CHANNELS', 'DIRECT MESSAGES'])
    await expect(ada.getByRole('region', { name }).getByRole('alert')).toContainText('Failed to load channels')
  await ada.unroute('**/api/channels?**')
  await ada.getByRole('region', { name: 'DIRECT MESSAGES' }).getByRole('button', { name: 'Try again' }).click()
  await expect(row(ada, 'general')).toBeVisible()
  await expect(ada.getByRole('navigation').getByRole('alert')).toHaveCount(0)
})

test('text typed right after choosing a channel goes into its composer', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('next')
  const id = await createChannel(ada, name)
  await openGeneral(ada)
  await expect(composer(ada)).toBeFocused()
  // Keys cannot arrive before the next task.
  const place = await row(ada, name).evaluate(async (link: HTMLElement) => {
    link.focus()
    link.click()
    await new Promise((resolve) => setTimeout(resolve))
    return `${location.pathname} ${document.activeElement?.getAttribute('aria-label')}`
  })
  expect(place).toBe(`/channels/${id} Message`)
  await ada.keyboard.type('for the next one')
  await expect(composer(ada)).toHaveValue('for the next one')
  await openGeneral(ada)
  await expect(composer(ada)).toHaveValue('')
})
