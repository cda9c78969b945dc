import { expectAccessible } from '../support/accessibility.ts'
import { createChannel, expect, message, say, showChannel, test, uniqueName, userOn } from '../support/fixtures.ts'

test('an empty channel says what it is and leads to inviting people and a topic; a history begins with it', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('room')
  const id = await createChannel(ada, name, { isPrivate: true })
  await expect(ada.getByText('No messages yet', { exact: true })).toBeVisible()
  const beginning = ada.getByText(`This is the start of #${name}.`)
  await expect(beginning).toContainText('You own this channel, created today. Nobody else is here yet.')
  await expectAccessible(ada, 'an empty channel')

  await ada.getByRole('region', { name: 'Messages', exact: true }).getByRole('button', { name: 'Add a topic' }).click()
  await expect(ada.getByLabel('Topic')).toBeFocused()
  await ada.keyboard.type('Ship it on Friday')
  await ada.keyboard.press('Enter')
  const topic = ada.getByRole('main').getByRole('button', { name: 'Edit topic: Ship it on Friday' })
  await expect(topic).toBeVisible()
  await expect(ada.getByRole('button', { name: 'Add a topic' })).toHaveCount(0)

  await ada.getByRole('button', { name: /^Members/ }).click()
  await ada.getByRole('dialog').getByRole('button', { name: 'Invite people' }).click()
  const { username } = await userOn(bob)
  await ada.getByRole('combobox').fill(username)
  await ada.getByRole('option', { name: new RegExp(`@${username}`) }).click()
  await ada.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
  // Back in the list of members, which shows him.
  await expect(ada.getByRole('dialog').getByRole('listitem')).toHaveCount(2)
  await ada.keyboard.press('Escape')
  await expect(beginning).toContainText('2 people are here.')

  await showChannel(bob, id, name)
  const forBob = bob.getByText(`This is the start of #${name}.`)
  await expect(forBob).toContainText('Ada Lovelace owns this channel, created today.')
  // Only the owner edits the topic.
  await expect(bob.getByText('Ship it on Friday')).toBeVisible()
  await expect(bob.getByRole('button', { name: /topic/ })).toHaveCount(0)
  await say(bob, 'the first one')
  await expect(message(ada, 'the first one')).toBeVisible()
  await expect(ada.getByText('No messages yet')).toHaveCount(0)
  await expect(beginning).toBeVisible()

  await topic.click()
  await expect(ada.getByLabel('Topic')).toBeFocused()
  await ada.keyboard.press('Escape')
  await expect(topic).toBeFocused()
})
