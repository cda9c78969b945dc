import type { CDPSession, Page } from '@playwright/test'
import { openProfile, type PopulatedServer, slow } from './profile.ts'
import type { Row } from './row.ts'

const SWITCHES = 500

/** Memory that 500 switches between channels leave behind. */
export async function switching(place: PopulatedServer): Promise<Row> {
  const { context, close } = await openProfile(place)
  try {
    const page = await context.newPage()
    const session = await slow(page, 1)
    await page.goto(`${place.address}/channels/${place.channels[0]}`)
    await shown(page)
    // As many switches to warm up: intended caches and compiled code, which is all that grows
    // otherwise, exist by then.
    await goAround(page, place.channels)
    const before = await heap(session)
    const startedAt = Date.now()
    await goAround(page, place.channels)
    const perSwitch = (Date.now() - startedAt) / SWITCHES
    const after = await heap(session)
    const change = (100 * (after.bytes - before.bytes)) / before.bytes
    return {
      name: `(h) heap before and after ${SWITCHES} switches among ${place.channels.length} channels`,
      figures: `${mb(before.bytes)} → ${mb(after.bytes)} (${change > 0 ? '+' : ''}${change.toFixed(1)} %); ${before.nodes} → ${after.nodes} nodes; ${before.listeners} → ${after.listeners} listeners; ${perSwitch.toFixed(0)} ms a switch`,
      aim: 'the same',
    }
  } finally {
    await close()
  }
}

/** Opens channels one after the other by their rows in the sidebar. */
async function goAround(page: Page, channels: string[]) {
  for (let n = 0; n < SWITCHES; n++) {
    const id = channels[n % channels.length]
    await page.evaluate((id) => document.querySelector<HTMLElement>(`a[href="/channels/${id}"]`)?.click(), id)
    await page.waitForURL(`**/channels/${id}`)
    await shown(page)
  }
}

/** Waits by a locator, because an element handle would keep the element in memory. */
const shown = (page: Page) => page.locator('section[aria-label=Messages] article[data-message]').first().waitFor()

/** The heap after a garbage collection. */
async function heap(session: CDPSession) {
  for (let i = 0; i < 3; i++) {
    await session.send('HeapProfiler.collectGarbage')
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { bytes: usedSize, nodes, listeners: jsEventListeners }
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
