import type { Page } from '@playwright/test'
import { callApi, expect, message, say, test } from '../support/fixtures.ts'
import { settled } from '../support/settled.ts'
import { conversation, createSharedChannel, inThread, openThread, reply } from '../support/threads.ts'

const status = (page: Page, text: string) => message(page, text).getByRole('img', { name: 'Status: ' })
const setStatus = (page: Page, emoji: string) => callApi(page, 'PUT', '/api/users/status', { user_status: emoji })

test("a person's status stands beside their name, changes as they change it, and is not repeated in grouped messages", async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const mei = await person('Mei Lin')
  await createSharedChannel(ada, mei)
  await say(mei, 'empty states are done')
  await say(mei, 'in all three widths')
  await expect(message(ada, 'in all three widths')).toBeVisible()
  await expect(conversation(ada).getByRole('img', { name: 'Status: ' })).toHaveCount(0)

  await settled(ada)
  const before = await message(ada, 'empty states').boundingBox()
  await setStatus(mei, '🌊')
  await expect(status(ada, 'empty states')).toHaveText('🌊')
  await expect(status(ada, 'empty states')).toHaveAttribute('title', 'Status: 🌊')
  await expect(status(mei, 'empty states')).toHaveText('🌊')
  await expect(status(ada, 'in all three widths')).toHaveCount(0)
  await expect.poll(() => message(ada, 'empty states').boundingBox()).toEqual(before)

  await openThread(ada, 'empty states')
  await reply(ada, 'well done')
  await expect(inThread(ada, 'well done')).toBeVisible()
  await expect(inThread(ada, 'empty states').getByRole('img', { name: 'Status: 🌊' })).toBeVisible()
  await expect(inThread(ada, 'well done').getByRole('img')).toHaveCount(0)

  await setStatus(mei, '🌴')
  await expect(status(ada, 'empty states').first()).toHaveText('🌴')
  await setStatus(mei, '😊')
  await expect(status(ada, 'empty states')).toHaveCount(0)
})

test('statuses of a whole page of messages cost one request', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const mei = await person('Mei Lin')
  await createSharedChannel(ada, mei)
  await setStatus(mei, '🌊')
  for (const name of ['first', 'second', 'third']) {
    await say(mei, `${name} of Mei`)
    await say(ada, `${name} of Ada`)
    await expect(message(mei, `${name} of Ada`)).toBeVisible()
  }
  const requests: string[] = []
  ada.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/users')) requests.push(pathname)
  })
  await ada.reload()
  await expect(conversation(ada).getByRole('img', { name: 'Status: 🌊' })).toHaveCount(3)
  expect(requests).toEqual(['/api/users'])
})
