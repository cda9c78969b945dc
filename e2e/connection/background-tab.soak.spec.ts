import { composer, expect, message, say, test, userOn } from '../support/fixtures.ts'
import { expectNotified, hiddenTab, sendMention } from '../support/hidden-tab.ts'

const MINUTE_MS = 60_000
/** A token is valid for an hour and renewed five minutes before its end. */
const MINUTES = 75

test('a tab in the background stays signed in beyond the life of its token', async ({ person }) => {
  test.setTimeout((MINUTES + 15) * MINUTE_MS)
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(bob)
  let renewed = 0
  bob.on('request', (request) => request.url().endsWith('/api/auth/token') && renewed++)
  await hiddenTab(bob)
  const atStart = renewed
  const texts: string[] = []
  for (let minute = 1; minute <= MINUTES; minute++) {
    await bob.waitForTimeout(MINUTE_MS)
    texts.push(`@${username} after ${minute} minutes`)
    await sendMention(ada, bob, texts.at(-1) as string)
    await expectNotified(bob, texts)
  }
  expect(renewed).toBe(atStart + 1)
  await say(bob, 'still here')
  await expect(message(bob, 'still here')).toBeVisible()
  await expect(composer(bob)).toHaveValue('')
})
