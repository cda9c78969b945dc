import { composer, createChannel, expect, message, openGeneral, say, test, uniqueName } from '../support/fixtures.ts'
import { settled } from '../support/settled.ts'

test('a refused message returns to the composer with its reason', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('refused'))
  await ada.route('**/api/messages', (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'not_a_member', message: 'Join the channel to do this' } } }),
  )
  await say(ada, 'not welcome')
  await expect(ada.getByText('Not sent: join the channel to do this')).toBeVisible()
  await expect(composer(ada)).toHaveValue('not welcome')
  await expect(message(ada, 'not welcome')).toHaveCount(0)

  await ada.unroute('**/api/messages')
  await composer(ada).press('Enter')
  await expect(message(ada, 'not welcome')).toBeVisible()
  await expect(ada.getByText('Not sent')).toHaveCount(0)
})

test('Enter sends and Shift+Enter adds a line; blank text and Enter in an input method do not send', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('keys'))
  const box = composer(ada)
  await expect(box).toBeFocused()
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await box.fill('   ')
  await box.press('Enter')
  await box.fill('one')
  await box.press('Shift+Enter')
  await ada.keyboard.type('two')
  await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  await box.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
  await expect(box).toHaveValue('one\ntwo')
  await box.press('Enter')
  await expect(box).toHaveValue('')
  await expect(ada.getByRole('article')).toHaveCount(1)
  await expect(message(ada, 'one')).toContainText('two')
})

test('on touch, Enter adds a line and the button sends', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  await createChannel(ada, uniqueName('touch'))
  await composer(ada).tap()
  await ada.keyboard.type('one')
  await ada.keyboard.press('Enter')
  await ada.keyboard.type('two')
  await ada.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect(message(ada, 'one')).toContainText('two')
})

test('a message that is too long shows by how much and is not sent', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await composer(ada).fill('x'.repeat(10_003))
  await expect(ada.getByText('Too long by 3 characters')).toBeVisible()
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
})

test('unsent text stays in its channel', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await composer(ada).fill('half a thought')
  await createChannel(ada, uniqueName('other'))
  await expect(composer(ada)).toHaveValue('')
  await openGeneral(ada)
  await expect(composer(ada)).toHaveValue('half a thought')
})

test('an emoji and an @ are inserted at the caret, and can be undone', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const box = composer(ada)
  await box.fill('ab')
  await box.press('ArrowLeft')
  await ada.getByRole('button', { name: 'Add emoji' }).click()
  await ada.locator('em-emoji-picker').getByPlaceholder('Search').fill('palm tree')
  await ada.locator('em-emoji-picker').getByRole('option', { name: '🌴' }).click()
  await expect(box).toHaveValue('a🌴b')
  await expect(box).toBeFocused()
  await ada.keyboard.type('!')
  await expect(box).toHaveValue('a🌴!b')
  await ada.getByRole('button', { name: 'Mention someone' }).click()
  await expect(box).toHaveValue('a🌴!@b')
  await box.fill('hello')
  await ada.getByRole('button', { name: 'Mention someone' }).click()
  await expect(box).toHaveValue('hello @')
  await box.press('ControlOrMeta+z')
  await expect(box).toHaveValue('hello')
})

test('the composer grows with the text, up to a limit, and shrinks after sending', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const height = async () => (await composer(ada).boundingBox())?.height ?? 0
  await settled(ada)
  const small = await height()
  await composer(ada).fill('one\ntwo\nthree')
  await expect.poll(height).toBeGreaterThan(small)
  await composer(ada).fill('line\n'.repeat(100))
  await expect.poll(height).toBeLessThanOrEqual(360)
  await composer(ada).press('Enter')
  await expect.poll(height).toBe(small)
  await composer(ada).fill('a word and another '.repeat(10))
  const wide = await height()
  await ada.setViewportSize({ width: 390, height: 900 })
  await expect.poll(height).toBeGreaterThan(wide)
})
