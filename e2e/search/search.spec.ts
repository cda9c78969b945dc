import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { failUntilRetried } from '../support/failing.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  invite,
  message,
  openGeneral,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { sendConcurrently } from '../support/send-many.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search', exact: true })
const box = (page: Page) => dialog(page).getByRole('combobox')
const rows = (page: Page, group: string) => dialog(page).getByRole('group', { name: group }).getByRole('option')
const found = (page: Page) => rows(page, 'MESSAGES')
const chip = (page: Page, name: string) => dialog(page).getByRole('button', { name: `Remove filter: ${name}` })

async function look(page: Page, query: string) {
  if ((await dialog(page).count()) === 0) await page.keyboard.press('ControlOrMeta+k')
  await box(page).fill(query)
}

/** Records what a page writes to the browser's history. */
const recordHistory = (page: Page) =>
  page.evaluate(() => {
    const states: string[] = []
    Object.assign(window, { states })
    for (const name of ['pushState', 'replaceState'] as const) {
      const write = history[name].bind(history)
      history[name] = (state, ...rest) => {
        states.push(JSON.stringify(state))
        write(state, ...rest)
      }
    }
  })
const recordedStates = (page: Page) => page.evaluate(() => (window as unknown as { states: string[] }).states)

test('a fragment of an old message is found and opened; Back returns to the search, whose text the history never holds', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('pay')
  const ticket = uniqueName('PAY').toUpperCase()
  await createChannel(ada, name)
  await sendMessages(ada, [`Fixed <b>${ticket}-1042</b> in https://ci.example/job/77`, `Again ${ticket}-1043`])
  await sendConcurrently(ada, 150, (index) => `noise ${index}`)
  await openGeneral(ada)

  await recordHistory(ada)
  await look(ada, `${ticket}-10`)
  await expect(found(ada)).toHaveCount(2)
  await expect(found(ada).first()).toContainText(`${ticket}-1043`)
  await expect(found(ada).first().locator('mark')).toHaveText(`${ticket}-10`)
  await expect(found(ada).first()).toContainText('Ada Lovelace')
  await expect(found(ada).first().getByText(`#${name}`)).toBeVisible()
  await expect(dialog(ada).getByText(/^2 results in \d+ ms$/)).toBeVisible()
  // Markup in a message is shown as text.
  await expect(found(ada).last()).toContainText(`<b>${ticket}-1042</b>`)
  await ada.keyboard.press('ArrowDown')
  await ada.keyboard.press('Enter')
  await expect(dialog(ada)).toHaveCount(0)
  await expect(message(ada, `${ticket}-1042`)).toBeInViewport()
  await expect.poll(async () => (await recordedStates(ada)).length).toBeGreaterThan(1)
  expect((await recordedStates(ada)).filter((state) => state.includes(ticket))).toEqual([])
  await ada.goBack()
  await expect(box(ada)).toHaveValue(`${ticket}-10`)
  await expect(found(ada).last()).toHaveAttribute('aria-selected', 'true')
  // The same after a reload.
  await ada.keyboard.press('Enter')
  await expect(message(ada, `${ticket}-1042`)).toBeInViewport()
  await ada.reload()
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await ada.goBack()
  await expect(box(ada)).toHaveValue(`${ticket}-10`)
  await ada.keyboard.press('Escape')
  await expect(dialog(ada)).toHaveCount(0)
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  // The dialog offers recent searches.
  await ada.keyboard.press('ControlOrMeta+k')
  await rows(ada, 'RECENT SEARCHES').getByText(`${ticket}-10`).click()
  await expect(found(ada)).toHaveCount(2)
})

test('search finds only what the user may read now, in its current text; a reply opens in its thread', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { open: false })
  const eve = await person('Eve Adams')
  const word = uniqueName('secret').replaceAll('.', '')
  const channelId = await createChannel(ada, uniqueName('vault'), { isPrivate: true })
  const { id } = await callApi(ada, 'POST', '/api/messages', { channelId, content: `${word} one` })
  await callApi(ada, 'POST', '/api/threads/messages', { parentMessageId: id, content: `${word} reply` })
  await look(eve, word)
  await expect(dialog(eve).getByText('No results found')).toBeVisible()
  await invite(ada, eve, channelId)
  await eve.keyboard.press('Escape')
  await expect(dialog(eve)).toHaveCount(0)
  await look(eve, word)
  await expect(found(eve)).toHaveCount(2)
  await found(eve).filter({ hasText: 'reply' }).click()
  await expect(eve.getByRole('complementary', { name: 'Thread' }).getByText(`${word} reply`)).toBeVisible()
  await expect(dialog(eve)).toHaveCount(0)
  await callApi(ada, 'PUT', `/api/messages/${id}`, { content: 'nothing of it' })
  await look(eve, `${word} one`)
  await expect(dialog(eve).getByText('No results found')).toBeVisible()
})

test('filters are completed while typing or begin with a click, and are removed and restored', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const name = uniqueName('lights')
  const word = uniqueName('lamp').replaceAll('.', '')
  const bulb = uniqueName('bulb').replaceAll('.', '')
  await callApi(bob, 'POST', `/api/channels/${await createChannel(ada, name)}/join`)
  await sendMessages(ada, [
    `${word} at https://example.com/${word}`,
    `a plain ${word}`,
    `${'and so on '.repeat(9)}the **${bulb}** is \`on\``,
  ])
  await sendMessages(bob, [`${word} by bob`], ada.url())
  const { username } = await userOn(bob)

  await test.step('a filter is completed from what is typed', async () => {
    await look(ada, `${word} from:${username.slice(0, -1)}`)
    await rows(ada, 'PEOPLE').getByText(`@${username}`).click()
    await expect(chip(ada, 'From Bob Kahn')).toBeVisible()
    await expect(box(ada)).toHaveValue(`${word} `)
    await expect(found(ada)).toHaveCount(1)
    await box(ada).pressSequentially('has:l')
    await expect(rows(ada, 'FILTERS')).toHaveText('linkMessages with a link')
    // While values are suggested, they are the only list.
    await expect(found(ada)).toHaveCount(0)
    await expect(dialog(ada).getByText(/results? in/)).toHaveCount(0)
    await ada.keyboard.press('Enter')
    await expect(chip(ada, 'Has a link')).toBeVisible()
    await expect(dialog(ada).getByText('No results found')).toBeVisible()
    await dialog(ada).getByRole('button', { name: 'Search everywhere' }).click()
    await expect(found(ada)).toHaveCount(3)
    await expect(box(ada)).toHaveValue(`${word} `)
    await expect(chip(ada, '')).toHaveCount(0)
    await look(ada, `${word} has:link`)
    await expect(found(ada)).toHaveCount(1)
  })

  await test.step('a filter begins with a click, is removed by a click or a key, and is restored by Back', async () => {
    await look(ada, '')
    await dialog(ada).getByRole('button', { name: 'In', exact: true }).click()
    await expect(box(ada)).toHaveValue('in:')
    await expect(box(ada)).toBeFocused()
    await ada.keyboard.type(name.slice(0, -1))
    await rows(ada, 'CHANNELS AND PEOPLE').getByText(name).click()
    await expect(chip(ada, `In #${name}`)).toBeVisible()
    await ada.keyboard.type(`from:me before:2020-01-01 ${bulb}`)
    await expect(chip(ada, 'From you')).toBeVisible()
    await expect(dialog(ada).getByText('Try fewer words or remove a filter')).toBeVisible()
    await chip(ada, 'Before').click()
    await expect(box(ada)).toBeFocused()
    // Plain text that starts at a word, with the match near its beginning.
    await expect(found(ada)).toContainText(new RegExp(`…(and|so|on) [a-z ]*the ${bulb} is on$`))
    await expect(found(ada).locator('time')).toHaveText(/\d:\d\d/)
    await found(ada).click()
    await expect(message(ada, bulb)).toBeInViewport()
    await ada.goBack()
    await expect(chip(ada, 'From you')).toBeVisible()
    await expect(box(ada)).toHaveValue(bulb)
    await ada.keyboard.press('Home')
    await ada.keyboard.press('Backspace')
    await expect(chip(ada, 'From you')).toHaveCount(0)
    await ada.keyboard.press('Backspace')
    await expect(chip(ada, '')).toHaveCount(0)
    await expect(box(ada)).toHaveValue(bulb)
  })
})

/** A time zone whose current day differs from UTC's. */
const FAR_ZONE = new Date().getUTCHours() < 10 ? 'Pacific/Honolulu' : 'Pacific/Kiritimati'

test('days are those of the reader', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace', { timezoneId: FAR_ZONE })
  await createChannel(ada, uniqueName('days'))
  const word = uniqueName('zenith')
  await sendMessages(ada, [word])
  const days = await ada.evaluate(() =>
    [0, -1].map((from) => new Date(Date.now() + from * 24 * 3600 * 1000).toLocaleDateString('sv')),
  )
  await look(ada, 'before:')
  await expect(rows(ada, 'FILTERS').first()).toHaveText(`Today${days[0]}`)
  await ada.keyboard.press('Enter')
  await ada.keyboard.type(word)
  await expect(dialog(ada).getByText('No results found')).toBeVisible()
  await chip(ada, 'Before').click()
  await look(ada, 'after:')
  // The day itself is excluded, and nothing is later than today.
  await expect(rows(ada, 'FILTERS').first()).toHaveText(`Yesterday${days[1]}`)
  await ada.keyboard.press('Enter')
  await ada.keyboard.type(word)
  await expect(chip(ada, 'After')).toBeVisible()
  await expect(found(ada)).toHaveCount(1)
})

test('a file is found by a part of its name and opens in the panel; the dialog is accessible, also on a phone', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('budget'))
  const name = `${uniqueName('budget')}-2027.xlsx`
  await ada.getByLabel('Files to attach').setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from('x') }])
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await composer(ada).press('Enter')
  await expect(ada.getByRole('button', { name: `Download ${name}` })).toBeVisible()
  await look(ada, name.slice(3, -7))
  await expect(rows(ada, 'FILES')).toHaveCount(1)
  await expect(rows(ada, 'FILES').locator('mark')).toHaveText(name.slice(3, -7))
  for (const width of [1440, 390]) {
    await ada.setViewportSize({ width, height: 844 })
    await expectAccessible(ada, `${width} px`)
  }
  await rows(ada, 'FILES').click()
  const panel = ada.getByRole('dialog', { name: 'Files', exact: true })
  await expect(panel.getByRole('listitem').filter({ hasText: name })).toHaveAttribute('aria-current', 'true')
})

test('Enter waits for the results of the text before it and is not undone by typing on; a search that failed can be retried', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('entered'))
  const [first, second] = [uniqueName('first').replaceAll('.', ''), uniqueName('second').replaceAll('.', '')]
  await sendMessages(ada, [`it was ${first}`, `it was ${second}`])
  const logged: string[] = []
  ada.on('console', (entry) => logged.push(entry.text()))
  const nowhere = uniqueName('nowhere').replaceAll('.', '')
  const fail = { status: 400, json: { error: { code: 'invalid', message: 'no' } } }
  await failUntilRetried(ada, `**/api/search?q=${nowhere}*`, (route) => route.fulfill(fail))
  await look(ada, nowhere)
  await expect(dialog(ada).getByRole('alert')).toContainText('Search failed.')
  for (const line of [/^File search error:/, /^Search error:/])
    await expect.poll(() => logged).toContainEqual(expect.stringMatching(line))
  await dialog(ada).getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(ada).getByText('No results found')).toBeVisible()

  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await ada.route(`**/api/search?q=${second}*`, async (route) => {
    await held
    await route.continue()
  })
  const visited: string[] = []
  ada.on('framenavigated', (frame) => visited.push(frame.url()))
  await look(ada, first)
  await expect(found(ada)).toContainText([first])
  await box(ada).fill(second)
  await expect(dialog(ada).getByText('Searching...')).toBeAttached()
  await ada.keyboard.press('Enter')
  await ada.keyboard.type(' and more')
  await expect(box(ada)).toHaveValue(`${second} and more`)
  await expect(found(ada)).toHaveCount(0)
  answer()
  await expect(dialog(ada)).toHaveCount(0)
  const links = () => visited.flatMap((url) => new URL(url).searchParams.get('message') ?? [])
  await expect.poll(links).not.toEqual([])
  const [link] = links()
  await expect(ada.locator(`article[data-message="${link}"]`)).toContainText(second)
})
