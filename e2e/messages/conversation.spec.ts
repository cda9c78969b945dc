import { composer, expect, message, messageTexts, say, test } from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { sendConcurrently } from '../support/send-many.ts'
import { createSharedChannel } from '../support/threads.ts'

test('two people chat; each message arrives at once, and is there after a reload', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  await createSharedChannel(ada, bob)
  await say(ada, 'Hello **Bob**, can you see this?')
  await expect(message(bob, 'Hello Bob, can you see this?')).toContainText('Ada Lovelace')
  await expect(message(bob, 'Hello Bob').locator('strong')).toHaveText('Bob')
  await say(bob, 'Loud and clear')
  await expect(message(ada, 'Loud and clear')).toContainText('Bob Kahn')
  for (const page of [ada, bob])
    expect(await messageTexts(page)).toEqual(['Hello Bob, can you see this?', 'Loud and clear'])
  await ada.reload()
  await expect(message(ada, 'Loud and clear')).toBeVisible()
})

test('after one user’s network outage both see the same messages', async ({ person, network }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  await createSharedChannel(ada, bob)
  await say(ada, 'before the cut')
  await expect(message(bob, 'before the cut')).toBeVisible()
  await untilPreloaded(bob, 'preloaded')

  network.cut()
  await bob.context().setOffline(true)
  for (const text of ['said in the dark 1', 'said in the dark 2']) await say(ada, text)
  await say(bob, 'written in the dark 1')
  await say(bob, 'written in the dark 2')
  await expect(message(bob, 'written in the dark 1')).toContainText('Waiting to send: no connection')
  await expect(composer(bob)).toHaveValue('')
  await say(ada, 'said in the dark 3')

  network.restore()
  await bob.context().setOffline(false)
  await expect(message(ada, 'written in the dark 2')).toBeVisible({ timeout: 90_000 })
  await expect(message(bob, 'said in the dark 3')).toBeVisible({ timeout: 90_000 })
  await expect(bob.getByText('Waiting to send')).toHaveCount(0)
  // Ada's own message may still stand at the end, where it waits for its answer.
  await expect.poll(async () => (await messageTexts(ada)).join('|') === (await messageTexts(bob)).join('|')).toBe(true)
  const seen = await messageTexts(ada)
  const dark = seen.filter((text) => text.includes('in the dark'))
  expect(dark.filter((text) => text.startsWith('said'))).toEqual([1, 2, 3].map((n) => `said in the dark ${n}`))
  expect(dark.filter((text) => text.startsWith('written'))).toEqual([1, 2].map((n) => `written in the dark ${n}`))
})

test('a tab that wakes up after sleeping offline shows the same messages as everyone else', { tag: '@long' }, async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { address: network.address })
  await createSharedChannel(ada, bob)
  await say(ada, 'before the sleep')
  await expect(message(bob, 'before the sleep')).toBeVisible()
  await untilPreloaded(bob, 'preloaded')
  const device = await bob.context().newCDPSession(bob)
  network.cut()
  await say(bob, 'written before the sleep')
  await expect(message(bob, 'written before the sleep')).toContainText('Waiting to send')
  await device.send('Page.setWebLifecycleState', { state: 'frozen' })
  await sendConcurrently(ada, 120, (n) => `said to a sleeper ${n}`)
  network.restore()
  await device.send('Page.setWebLifecycleState', { state: 'active' })
  await expect(message(ada, 'written before the sleep')).toBeVisible({ timeout: 90_000 })
  await expect(bob.getByText('Waiting to send')).toHaveCount(0)
  const latest = bob.getByRole('button', { name: /latest/i })
  await expect(async () => {
    if (await latest.isVisible()) await latest.click({ timeout: 1000 })
    expect((await messageTexts(bob)).slice(-5)).toEqual((await messageTexts(ada)).slice(-5))
  }).toPass()
  expect((await messageTexts(bob)).filter((text) => text === 'written before the sleep')).toHaveLength(1)
})
