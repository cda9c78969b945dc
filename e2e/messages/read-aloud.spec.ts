import type { Page } from '@playwright/test'
import { silence, startSpeechProvider } from '../support/fake-services.ts'
import {
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  sendMessages,
  test as shared,
  uniqueName,
} from '../support/fixtures.ts'
import { chooseAction, messageId, toast } from '../support/message-rows.ts'
import { finish, notePlayed } from '../support/played.ts'
import { startServer } from '../support/server.ts'

/** A separate server with a speech provider. */
const test = shared.extend<object, { speaker: Awaited<ReturnType<typeof startSpeechProvider>> }>({
  speaker: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use) => {
      const speaker = await startSpeechProvider()
      await use(speaker)
      speaker.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ speaker }, use) => {
      const server = await startServer(speaker.settings)
      await use(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
})

const LONG = 'A long story, which takes its time. '.repeat(5)

/** The button below a message that is being read aloud. */
const reading = (page: Page, text: string) => message(page, text).getByRole('button', { name: 'Read aloud' })
const kept = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('tts-cache-v1'))) return undefined
    return (await (await caches.open('tts-cache-v1')).keys()).map(({ url }) => url)
  })

test('reading aloud plays one message at a time to its end, requests it once, and forgets it at sign-out; a failure is shown', {
  tag: '@long',
}, async ({ person, speaker }) => {
  const ada = await person('Ada Lovelace')
  await ada.route('**/*.mp3', (route) => route.fulfill({ contentType: 'audio/wav', body: silence(75) }))
  await createChannel(ada, uniqueName('aloud'))
  await sendMessages(ada, ['/api/files/1/recap.mp3', LONG, '```\ncode()\n```'])
  await say(ada, 'Short and **strong**, see https://example.com')
  const id = await messageId(ada, 'strong')
  await notePlayed(ada)

  for (const mood of ['failing', 'broken'] as const) {
    speaker.setMode(mood)
    await chooseAction(ada, LONG, 'Read aloud')
    await expect(toast(ada, 'Failed to generate speech').first()).toBeVisible()
    await expect(reading(ada, LONG)).toHaveCount(0)
  }
  speaker.setMode('well')
  await chooseAction(ada, 'code()', 'Read aloud')
  await expect(toast(ada, 'Nothing to read aloud')).toBeVisible()

  await chooseAction(ada, LONG, 'Read aloud')
  await expect(reading(ada, LONG)).toHaveAttribute('aria-busy', 'false')
  await expect(reading(ada, LONG)).toHaveAttribute('aria-pressed', 'true')
  await chooseAction(ada, 'strong', 'Read aloud')
  await expect(reading(ada, 'strong')).toHaveAttribute('aria-pressed', 'true')
  await expect(reading(ada, LONG)).toHaveCount(0)
  await expect(reading(ada, 'strong')).toHaveAttribute('aria-busy', 'false')
  // Playback stops automatically at the end.
  await finish(ada)
  await expect(reading(ada, 'strong')).toHaveCount(0)
  expect(speaker.requests.at(-1)).toMatchObject({
    text: 'Short and strong, see link',
    voice_settings: { stability: 0.5, similarity_boost: 0.75 },
  })
  await expect.poll(() => kept(ada)).toContainEqual(expect.stringContaining(id))

  const { length } = speaker.requests
  // Started with the keyboard; an audio player then interrupts it.
  await message(ada, LONG).focus()
  await ada.keyboard.press('a')
  await expect(reading(ada, LONG)).toHaveAttribute('aria-busy', 'false')
  const player = ada.getByRole('group', { name: /recap/ })
  await player.getByRole('button', { name: 'Play' }).click()
  await expect(player.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expect(reading(ada, LONG)).toHaveCount(0)
  await chooseAction(ada, LONG, 'Read aloud')
  await expect(player.getByRole('button', { name: 'Play' })).toBeVisible()
  expect(speaker.requests).toHaveLength(length)
  // It stops when the user opens another page.
  await openGeneral(ada)
  await ada.waitForFunction(() => (window as unknown as { played: HTMLAudioElement }).played.paused)
  await ada.goBack()
  await expect(message(ada, LONG)).toBeVisible()
  await expect(reading(ada, LONG)).toHaveCount(0)

  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect.poll(() => kept(ada)).toBeUndefined()
})

shared(
  'without a provider the browser’s voice reads; without either, the reason is shown',
  { tag: '@long' },
  async ({ person }) => {
    const ada = await person('Ada Lovelace')
    await createChannel(ada, uniqueName('own'))
    await say(ada, '## News\n\nIt **works**. See [the plan](https://example.com).')
    await messageId(ada, 'News')
    // A voice that isn't on this device would send the message to somebody else.
    await ada.evaluate(() =>
      Object.assign(speechSynthesis, { getVoices: () => [{ lang: 'en-US', localService: false }] }),
    )
    await chooseAction(ada, 'News', 'Read aloud')
    await expect(toast(ada, "Reading aloud isn't available in this browser")).toBeVisible()
    await expect(reading(ada, 'News')).toHaveCount(0)

    // Headless browsers have no voices; this one speaks until the test ends it.
    await ada.evaluate(() => {
      const spoken: string[] = []
      let end = () => {}
      // The real one accepts only voices of the browser.
      function Utterance(this: { text: string }, text: string) {
        this.text = text
      }
      Object.assign(window, { spoken, SpeechSynthesisUtterance: Utterance })
      Object.assign(speechSynthesis, {
        getVoices: () => [{ lang: 'en-US', localService: true }],
        cancel: () => end(),
        speak(utterance: SpeechSynthesisUtterance) {
          spoken.push(utterance.text.trim())
          end = () => utterance.onend?.(new Event('end') as SpeechSynthesisEvent)
          utterance.onstart?.(new Event('start') as SpeechSynthesisEvent)
          if (spoken.length < 3) setTimeout(end, 50)
        },
      })
    })
    await chooseAction(ada, 'News', 'Read aloud')
    await expect(reading(ada, 'News')).toHaveAttribute('aria-busy', 'false')
    await expect
      .poll(() => ada.evaluate(() => Reflect.get(window, 'spoken')))
      .toEqual(['News', 'It works.', 'See the plan.'])
    await reading(ada, 'News').click()
    await expect(reading(ada, 'News')).toHaveCount(0)
  },
)

test('the menu of a message offers to read it aloud again as soon as reading has ended', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('aloud'))
  await say(ada, 'Short and **strong**')
  await messageId(ada, 'strong')
  await notePlayed(ada)
  await chooseAction(ada, 'strong', 'Read aloud')
  await expect(reading(ada, 'strong')).toHaveAttribute('aria-busy', 'false')
  await message(ada, 'strong').hover()
  await message(ada, 'strong').getByRole('button', { name: 'More actions' }).first().click()
  await expect(ada.getByRole('menuitem', { name: 'Stop reading' })).toBeVisible()
  await finish(ada)
  await expect(message(ada, 'strong').getByText('Read aloud')).toHaveCount(0)
  await expect(ada.getByRole('menuitem', { name: 'Stop reading' })).toHaveCount(0)
  await expect(ada.getByRole('menuitem', { name: 'Read aloud' })).toBeVisible()
})
