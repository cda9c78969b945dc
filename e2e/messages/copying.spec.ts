import { createChannel, expect, say, test, uniqueName } from '../support/fixtures.ts'
import { chooseAction, toast } from '../support/message-rows.ts'

test('a message can be copied as Markdown or as plain text', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { permissions: ['clipboard-read', 'clipboard-write'] })
  await createChannel(ada, uniqueName('copying'))
  const written = 'we ship **on Monday**, see [the plan](https://example.com/plan) and `npm test`'
  await say(ada, written)
  const clipboard = () => ada.evaluate(() => navigator.clipboard.readText())

  await chooseAction(ada, 'we ship', 'Copy text')
  await expect(toast(ada, 'Text copied')).toBeVisible()
  expect(await clipboard()).toBe(written)

  await chooseAction(ada, 'we ship', 'Copy without formatting')
  await expect.poll(clipboard).toBe('we ship on Monday, see the plan and npm test')
})
