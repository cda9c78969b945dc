import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  say,
  sendMessages,
  showChannel,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'
import { row } from '../support/sidebar.ts'

test('an empty channel says what it is and leads to inviting people and a topic; a history begins with it', async ({
  person,
}) => {
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

test('the beginning of a long history appears above its first message', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  const name = uniqueName('long')
  await createChannel(ada, name)
  await sendMessages(
    ada,
    Array.from({ length: 60 }, (_, nth) => `line ${nth}`),
  )
  await ada.reload()
  await expect(ada.getByRole('article').last()).toBeVisible()
  await expect(ada.getByText(`This is the start of #${name}.`)).toHaveCount(0)
  await expect(async () => {
    await ada.getByRole('region', { name: 'Messages', exact: true }).press('Home')
    await expect(ada.getByText(`This is the start of #${name}.`)).toBeInViewport({ timeout: 1000 })
  }).toPass()
})

test('the header of a conversation opens its menu and searches in it', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const name = uniqueName('header')
  await createChannel(ada, name)
  await ada.getByRole('button', { name: 'Search this conversation' }).click()
  await expect(
    ada.getByRole('dialog', { name: 'Search' }).getByRole('button', { name: new RegExp(`In:? #?${name}`) }),
  ).toBeVisible()
  await ada.keyboard.press('Escape')

  const { id: userId } = await userOn(bob)
  await callApi(ada, 'POST', '/api/direct-messages', { userIds: [userId] })
  await row(ada, 'Bob Kahn').click()
  await expect(ada.getByText('This is the start of your conversation with Bob Kahn.')).toBeVisible()
  await ada.getByRole('button', { name: 'Conversation actions' }).click()
  await expect(ada.getByRole('menuitem', { name: 'Mute' })).toBeVisible()
})

test('questions to the assistant are written into the composer, after what was typed', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await ada.getByRole('button', { name: 'Assistant' }).click()
  const examples = ada.getByRole('list', { name: 'Examples' }).getByRole('button')
  await expect(examples).toHaveCount(3)
  await expect(ada.getByText('Ask about anything said in your channels.')).toBeVisible()
  await examples.first().click()
  await expect(composer(ada)).toBeFocused()
  await expect(composer(ada)).toHaveValue('What did I miss in #general?')
  await examples.last().click()
  await expect(composer(ada)).toHaveValue('Which questions to me have no answer yet?')
  await composer(ada).fill('And')
  await examples.last().click()
  await expect(composer(ada)).toHaveValue('And\nWhich questions to me have no answer yet?')
  await expect(ada.getByRole('article')).toHaveCount(0)
})
