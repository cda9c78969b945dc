import type { BrowserContext } from '@playwright/test'
import { median, openProfile, type PopulatedServer, slow } from './profile.ts'
import type { Row } from './row.ts'

const ROUNDS = 5

declare global {
  interface Window {
    /** Milliseconds from the start of the navigation until a message was painted. */
    shownAt: Promise<number>
  }
}

/** Time until the first message is on screen, on a first and on a later visit. */
export async function firstMessages(place: PopulatedServer, slowed: number): Promise<Row[]> {
  const cold: Visit[] = []
  const warm: Visit[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { context, close } = await openProfile(place)
    try {
      cold.push(await visit(context, place, slowed))
      // The browser caches compiled code from the second visit on.
      await visit(context, place, slowed)
      warm.push(await visit(context, place, slowed))
    } finally {
      await close()
    }
  }
  const row = (name: string, visits: Visit[], aim: string): Row => ({
    name: `(g) first message, ${name}, processor slowed ${slowed} times`,
    figures: `${seconds(median(visits.map(({ ms }) => ms)))} (${visits.map(({ ms }) => seconds(ms)).join(' ')}); ${Math.round((visits[0]?.bytes ?? 0) / 1000)} KB of scripts over the line`,
    aim,
  })
  return [row('cold', cold, '≤ 1.0 s'), row('warm', warm, '≤ 0.4 s')]
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

interface Visit {
  ms: number
  /** Bytes of scripts transferred until then. */
  bytes: number
}

async function visit(context: BrowserContext, { address, channels }: PopulatedServer, slowed: number): Promise<Visit> {
  const page = await context.newPage()
  await slow(page, slowed)
  await page.addInitScript(() => {
    window.shownAt = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('There was no message')), 20_000)
      const seen = new MutationObserver(() => {
        if (!document.querySelector('article[data-message]')) return
        seen.disconnect()
        // The next task after a frame's callback runs after painting.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(undefined)
        })
      })
      seen.observe(document, { childList: true, subtree: true })
    })
  })
  await page.goto(`${address}/channels/${channels[0]}`, { waitUntil: 'commit' })
  const visited = await page.evaluate(async () => {
    const ms = await window.shownAt
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = files.filter(({ name, startTime }) => name.endsWith('.js') && startTime < ms)
    return { ms, bytes: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0) }
  })
  // Wait for the rest to load, which belongs to the visit and fills the caches.
  await page.waitForTimeout(1500)
  await page.close()
  return visited
}
