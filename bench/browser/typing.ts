import { openProfile, type PopulatedServer, quantile, slow } from './profile.ts'
import type { Row } from './row.ts'

const SECONDS = 20
const PER_SECOND = 20
/** Between two keys of a fast typist. */
const TYPING_INTERVAL_MS = 90

interface Key {
  /** Milliseconds until the page began to handle a key, and until the result was painted. */
  handled: number
  painted: number
}

declare global {
  interface Window {
    keys: Key[]
  }
}

/** Latency of a key while messages arrive in the open channel. */
export async function typing(place: PopulatedServer, slowed: number): Promise<Row> {
  const { context, close } = await openProfile(place)
  try {
    const page = await context.newPage()
    const channelId = place.channels[1] as string
    await page.goto(`${place.address}/channels/${channelId}`)
    const box = page.getByPlaceholder('Type a message...')
    await box.click()
    // Measures arriving messages, not the start of the page.
    await page.waitForTimeout(3000)
    await slow(page, slowed)
    await page.evaluate(() => {
      window.keys = []
      window.addEventListener(
        'keydown',
        ({ timeStamp }) => {
          const handled = performance.now() - timeStamp
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => window.keys.push({ handled, painted: performance.now() - timeStamp })
            port2.postMessage(undefined)
          })
        },
        true,
      )
    })
    const talk = talkIn(place, channelId)
    const end = Date.now() + SECONDS * 1000
    while (Date.now() < end) {
      const next = Date.now() + TYPING_INTERVAL_MS
      await page.keyboard.press('abcdefghij klmnop'.charAt(Math.floor(Math.random() * 17)))
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - Date.now())))
    }
    const sent = await talk.end()
    const keys = await page.evaluate(() => window.keys)
    const of = (values: number[]) =>
      `${[0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(0)).join(' / ')} ms`
    return {
      name: `(i) a key while ${(sent / SECONDS).toFixed(0)} messages/s arrive, processor ${slowed === 1 ? 'as it is' : `slowed ${slowed} times`}`,
      figures: `handled after ${of(keys.map(({ handled }) => handled))}, painted after ${of(keys.map(({ painted }) => painted))} (p50 / p95 / max of ${keys.length})`,
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
