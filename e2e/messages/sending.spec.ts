import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'

test('Enter sends and Shift+Enter adds a line; text that is blank, too long or refused is not sent and not lost', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('keys'))
  const box = composer(ada)
  const send = ada.getByRole('button', { name: 'Send', exact: true })
  await expect(box).toBeFocused()
  await expect(send).toBeDisabled()
  await box.fill('   ')
  await box.press('Enter')
  await box.fill('one')
  const height = async () => (await box.boundingBox())?.height ?? 0
  const one = await height()
  await box.press('Shift+Enter')
  await ada.keyboard.type('two')
  // Keys of an input method; Safari sends the second one after the composition has ended.
  await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  await expect(box).toHaveValue('one\ntwo')
  await expect.poll(height).toBeGreaterThan(one)
  await box.press('Enter')
  await expect(box).toHaveValue('')
  await expect.poll(height).toBe(one)
  await expect(ada.getByRole('article')).toHaveCount(1)
  await expect(message(ada, 'one')).toContainText('two')

  await box.fill('x'.repeat(10_003))
  await expect(ada.getByText('Too long by 3 characters')).toBeVisible()
  await expect(send).toBeDisabled()
  await box.fill('line\n'.repeat(100))
  await expect.poll(height).toBeLessThanOrEqual(360)

  await ada.route('**/api/messages', (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'not_a_member', message: 'Join the channel to do this' } } }),
  )
  await say(ada, 'not welcome')
  await expect(ada.getByText('Not sent: join the channel to do this')).toBeVisible()
  await expect(box).toHaveValue('not welcome')
  await expect(message(ada, 'not welcome')).toHaveCount(0)
  await ada.unroute('**/api/messages')
  await box.press('Enter')
  await expect(message(ada, 'not welcome')).toBeVisible()
  await expect(ada.getByText('Not sent')).toHaveCount(0)
})
