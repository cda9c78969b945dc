import { composer, createChannel, expect, message, say, test, usernameOf } from './people.ts'

test('a public channel appears in the other’s sidebar at once; joining it lets one write', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = usernameOf('launch')
  await createChannel(ada, name)
  const row = bob.getByRole('link', { name: new RegExp(name) })
  await expect(row).toBeVisible()
  await row.click()
  await say(ada, 'come in')
  // A visitor hears a public channel while looking at it.
  await expect(message(bob, 'come in')).toBeVisible()
  await expect(composer(bob)).toHaveCount(0)
  await bob.getByRole('button', { name: 'Join channel' }).click()
  await say(bob, 'thank you')
  await expect(message(ada, 'thank you')).toBeVisible()
  await expect(ada.getByRole('link', { name: new RegExp(name) }).getByTitle('2 members')).toBeVisible()
})

test('a private channel shows to its members only, with its badge', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const eve = await person('Eve Adams')
  const name = usernameOf('founders')
  await createChannel(ada, name, { isPrivate: true })
  await expect(ada.getByRole('link', { name: new RegExp(name) })).toContainText('Private')
  await createChannel(ada, `${name}-open`)
  await expect(eve.getByRole('link', { name: `${name}-open` })).toBeVisible()
  await expect(eve.getByRole('link', { name: new RegExp(name) })).toHaveCount(1)
})

test('a name that is taken is said, and what was typed stays', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expect(ada.getByRole('button', { name: 'Create Channel' })).toBeDisabled()
  for (const [name, reason] of [
    ['General', 'a channel with this name exists already'],
    ['dm-x', 'the name is reserved'],
    ['#x', 'the name must not begin with #'],
  ] as const) {
    await ada.getByLabel('Name', { exact: true }).fill(name)
    await ada.getByRole('button', { name: 'Create Channel' }).click()
    await expect(ada.getByText(`Failed to create channel: ${reason}`)).toBeVisible()
    await expect(ada.getByLabel('Name', { exact: true })).toHaveValue(name)
  }
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('dialog')).toHaveCount(0)
})
