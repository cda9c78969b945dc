import { expect, message, say, test } from './people.ts'

// A name that is not localhost, as on a LAN: there a browser has no randomUUID, no clipboard and no secure cookies.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--host-resolver-rules=MAP chat.test 127.0.0.1'] }),
})

test('two people talk over plain http at an address of the LAN', async ({ person, server }) => {
  const address = `http://chat.test:${server.port}`
  const ada = await person('Ada Lovelace', { address, byForm: true })
  const bob = await person('Bob Kahn', { address, byForm: true })
  expect(await ada.evaluate(() => [window.isSecureContext, 'randomUUID' in crypto])).toEqual([false, false])
  await say(ada, 'no certificate here')
  await expect(message(bob, 'no certificate here')).toBeVisible()
  await bob.reload()
  await say(bob, 'none needed')
  await expect(message(ada, 'none needed')).toBeVisible()
})
