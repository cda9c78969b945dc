import { measuredKeys, spread, watchKeys } from './key-latency.ts'
import { openProfile, type PopulatedServer, slow } from './profile.ts'
import type { Row } from './row.ts'

const SECONDS = 20
const PER_SECOND = 20
/** Interval between the keys of a fast typist. */
const TYPING_INTERVAL_MS = 90

/** Latency of a key while messages arrive in the open channel. */
export async function typing(place: PopulatedServer, slowed: number): Promise<Row> {
  const { context, close } = await openProfile(place)
  try {
    const page = await context.newPage()
    const channelId = place.channels[1] as string
    await page.goto(`${place.address}/channels/${channelId}`)
    const box = page.getByPlaceholder('Type a message...')
    await box.click()
    // Wait for the page to start, which is not measured.
    await page.waitForTimeout(3000)
    await slow(page, slowed)
    await watchKeys(page)
    const talk = talkIn(place, channelId)
    const end = Date.now() + SECONDS * 1000
    while (Date.now() < end) {
      const next = Date.now() + TYPING_INTERVAL_MS
      await page.keyboard.press('abcdefghij klmnop'.charAt(Math.floor(Math.random() * 17)))
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())))
    }
    const sent = await talk.end()
    const keys = await measuredKeys(page)
    return {
      name: `(i) a key while ${(sent / SECONDS).toFixed(0)} messages/s arrive, processor ${slowed === 1 ? 'as it is' : `slowed ${slowed} times`}`,
      figures: `handled after ${spread(keys.map(({ handled }) => handled))}, painted after ${spread(keys.map(({ painted }) => painted))} (p50 / p95 / max of ${keys.length})`,
      aim: '< 100 ms',
    }
  } finally {
    await close()
  }
}

/** Others send messages until stopped; returns how many. */
function talkIn({ address, speakers }: PopulatedServer, channelId: string) {
  let sent = 0
  const timer = setInterval(() => {
    const token = speakers[sent % speakers.length]
    const content = `Message ${++sent}: the build is **green** again, see \`main\` and https://example.com/${sent}`
    fetch(`${address}/api/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channelId, content, clientId: `bench-${Date.now()}-${sent}` }),
    }).then(
      (answer) => answer.ok || console.error(`A message was refused: ${answer.status}`),
      (error) => console.error('A message could not be sent:', error),
    )
  }, 1000 / PER_SECOND)
  return {
    end: async () => {
      clearInterval(timer)
      return sent
    },
  }
}
