import type { Page } from '@playwright/test'
import { startModel } from '../support/fake-services.ts'
import { composer, createChannel, expect, say, test as shared, uniqueName, userOn } from '../support/fixtures.ts'
import { recordHighlights } from '../support/recorded.ts'
import { startServer } from '../support/server.ts'
import { inConversation, inThread, openThread, replyBox } from '../support/threads.ts'

/** A separate server with a model. */
const test = shared.extend<object, { model: Awaited<ReturnType<typeof startModel>> }>({
  model: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const model = await startModel()
      await use(model)
      model.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ model }, use) => {
      const server = await startServer(model.settings)
      await use(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
})

const assistant = (page: Page) =>
  page.getByRole('region', { name: 'DIRECT MESSAGES' }).getByRole('listitem').filter({ hasText: 'Assistant' })
const answers = (page: Page) => page.getByRole('article', { name: /^Assistant, / })

// Otherwise each worker would start a separate server.
test.describe.configure({ mode: 'default' })

test('the assistant streams its answer in a direct message, and can be stopped', { tag: '@long' }, async ({
  person,
  model,
}) => {
  const ada = await person('Ada Lovelace')
  await assistant(ada).getByRole('button', { name: 'Assistant' }).click()
  await expect(ada.getByRole('heading', { name: 'Assistant' })).toBeVisible()
  await expect(assistant(ada)).toHaveCount(1)
  await say(ada, 'What is forty two?')
  const answer = answers(ada).first()
  await expect(answer).toHaveAttribute('aria-busy', 'true')
  await expect(answer).toContainText('Thinking')
  await expect(answer.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expect.poll(() => model.requests.length).toBe(1)

  model.say('The answer to ')
  await expect(answer).toContainText('The answer to')
  await expect(answer).not.toContainText('Thinking')
  await expect(answer.getByRole('button', { name: 'Read aloud' })).toHaveCount(0)
  model.say(`**everything**.\n\n${'- and more\n'.repeat(40)}\nThat is all.`)
  await expect(answer.locator('strong')).toHaveText('everything')
  await expect(answer.getByText('That is all')).toBeInViewport()
  model.finish()
  await expect(answer).not.toHaveAttribute('aria-busy')
  await expect(answer).toContainText('The answer to everything.')
  await expect(answer.getByText('edited')).toHaveCount(0)
  await expect(answer.getByRole('button', { name: 'Read aloud' })).toHaveAttribute('aria-pressed', 'false')
  await answer.hover()
  await expect(answer.getByRole('button', { name: 'Add reaction' })).toBeVisible()
  await expect(answer.getByRole('button', { name: 'Reply in thread' })).toHaveCount(0)

  await say(ada, 'And then?')
  await expect.poll(() => model.requests.length).toBe(2)
  model.say('This goes on and on')
  const second = answers(ada).nth(1)
  await expect(second).toContainText('This goes on')
  await second.getByRole('button', { name: 'Stop' }).focus()
  await ada.keyboard.press('Enter')
  await expect(second).not.toHaveAttribute('aria-busy')
  await expect(second).toBeFocused()
  await expect(second).toContainText('This goes on and on')
  await ada.reload()
  await expect(second).toContainText('This goes on and on')
})

test('mentioned in a thread, the assistant answers there and links its sources', { tag: '@long' }, async ({
  person,
  model,
}) => {
  const [ada, bob] = [await person('Ada Lovelace'), await person('Bob Kahn')]
  await createChannel(ada, uniqueName('launch'))
  await say(ada, 'The launch is on the first of December')
  await openThread(ada, 'The launch')
  // Viewers see the answer grow as well.
  await bob.goto(ada.url())
  await expect(inThread(bob, 'The launch')).toBeVisible()
  const before = model.requests.length
  await replyBox(ada).pressSequentially('@assi')
  await ada.getByRole('option', { name: /Assistant/ }).click()
  await replyBox(ada).pressSequentially('when do we launch?')
  await replyBox(ada).press('Enter')

  await expect.poll(() => model.requests.length).toBe(before + 1)
  model.say('On the first of December [m1].')
  const answer = answers(ada)
  await expect(answer).toContainText('On the first')
  await expect(answer.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expect(answers(bob)).toContainText('On the first')
  await expect(answers(bob).getByRole('button', { name: 'Stop' })).toHaveCount(0)
  model.finish()
  await expect(answers(bob)).not.toHaveAttribute('aria-busy')
  await expect(answers(bob).getByRole('link')).toHaveCount(1)
  const { username } = await userOn(ada)
  const expectHighlight = await recordHighlights(ada)
  await answer.getByRole('link', { name: username }).click()
  await expect(inConversation(ada, 'The launch')).toBeVisible()
  await expectHighlight('The launch')
})

shared(
  'without a model the assistant searches; it is suggested among the people, and offers examples',
  { tag: '@long' },
  async ({ person }) => {
    const ada = await person('Ada Lovelace')
    const word = uniqueName('zanzibar')
    await createChannel(ada, uniqueName('trips'))
    await say(ada, `We fly to ${word} in May`)
    await ada.getByRole('button', { name: 'New direct message' }).click()
    await ada.getByPlaceholder('Search users...').fill('assis')
    await ada.getByRole('option', { name: /Assistant/ }).click()
    await ada.getByRole('button', { name: 'Message Assistant' }).click()
    await expect(ada.getByRole('heading', { name: 'Assistant' })).toBeVisible()
    // Examples are inserted into the composer, after the typed text.
    const examples = ada.getByRole('list', { name: 'Examples' }).getByRole('button')
    await expect(examples.first()).toBeVisible()
    await expect(ada.getByText('Ask about anything said in your channels.')).toBeVisible()
    await examples.last().click()
    await expect(composer(ada)).toBeFocused()
    await expect(composer(ada)).toHaveValue('Find messages about ')
    await composer(ada).fill('And')
    await examples.last().click()
    await expect(composer(ada)).toHaveValue('And\nFind messages about ')
    await expect(ada.getByRole('article')).toHaveCount(0)
    await composer(ada).fill('')
    await examples.last().click()
    await ada.keyboard.type(word)
    await composer(ada).press('Enter')
    const answer = answers(ada).first()
    await expect(answer).toContainText("I can't write answers here yet. Closest messages:")
    await expect(answer).toContainText(/Ada Lovelace( \(@\S+\))? in #trips\S*, \w{3}, \w{3} \d{1,2}/)
    await expect(answer).toContainText(`We fly to ${word} in May`)
    const expectHighlight = await recordHighlights(ada)
    await answer.getByRole('link').first().click()
    await expectHighlight('We fly')
  },
)
