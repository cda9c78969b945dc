import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  say,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'

const bar = /Connection lost/

test('a lost connection is shown; afterwards what was written and what was missed is there', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { address: network.address })
  const channelId = await createChannel(bob, uniqueName('tunnel'))
  await callApi(ada, 'POST', `/api/channels/${channelId}/join`)
  await sendMessages(ada, ['before the cut'], bob.url())
  await expect(message(bob, 'before the cut')).toBeVisible()

  await test.step('the server cannot be reached', async () => {
    network.cut()
    await expect(bob.getByRole('status').filter({ hasText: bar })).toBeVisible()
    await sendMessages(ada, ['said meanwhile'], bob.url())
    await say(bob, 'written meanwhile')
    await expect(message(bob, 'written meanwhile')).toContainText('Waiting to send')
    // Clicked before the network is back, when the page would reconnect automatically.
    await bob.getByRole('button', { name: 'Reconnect' }).click()
    network.restore()
    await expect(bob.getByText(bar)).toHaveCount(0)
    await expect(message(bob, 'said meanwhile')).toBeVisible()
    await expect(message(bob, 'Waiting to send')).toHaveCount(0)
  })

  await test.step('the device is offline', async () => {
    network.cut()
    await bob.context().setOffline(true)
    await expect(bob.getByText("You're offline. Messages will be sent when you reconnect.")).toBeVisible()
    await say(bob, 'written offline')
    await expect(composer(bob)).toHaveValue('')
    network.restore()
    await bob.context().setOffline(false)
    await expect(bob.getByText("You're offline")).toHaveCount(0)
    await expect(message(bob, 'Waiting to send')).toHaveCount(0)
    await expect(message(bob, 'written offline')).toHaveCount(1)
  })
})
