import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import { makeChannel } from '../../server/demo/channels.ts'
import { measuredKeys, spread, watchKeys } from './key-latency.ts'
import { openProfile, type PopulatedServer, slow } from './profile.ts'
import type { Row } from './row.ts'

const CHANNELS = 2000
const PEOPLE = 5000
const SWITCHES = 24
/** Typed into each picker; every letter is a key that is measured. */
const TYPED = ['per', 'son 4', '321']

/** A workspace of 2,000 channels and 5,000 people: switching between channels, and a key in each picker. */
export async function largeWorkspace(place: PopulatedServer, slowed: number): Promise<Row[]> {
  await enlarge(place.pool)
  const { context, close } = await openProfile(place)
  try {
    const page = await context.newPage()
    await page.goto(`${place.address}/channels/${place.channels[0]}`)
    await messages(page).first().waitFor()
    await page.locator(`nav a[href="/channels/${place.channels[1]}"]`).waitFor()
    // Wait until the page has loaded, which is not measured.
    await page.waitForTimeout(4000)
    await slow(page, slowed)
    const first = await switches(page, place.channels)
    const again = await switches(page, place.channels)
    const row = (name: string, values: number[], aim: string): Row => ({
      name: `(j) ${name}, ${CHANNELS} channels, ${PEOPLE} people, processor slowed ${slowed} times`,
      figures: `${spread(values)} (p50 / p95 / max of ${values.length})`,
      aim,
    })
    return [
      row('switch to a channel for the first time', first, '≤ 100 ms'),
      row('switch back to a channel', again, '≤ 100 ms'),
      row('key in the search for channels and people', await keysIn(page, 'ControlOrMeta+k'), '≤ 50 ms'),
      row('key after an @ in the message box', await keysIn(page, '@'), '≤ 50 ms'),
      row('key in the picker of a direct message', await keysInNewDirect(page), '≤ 50 ms'),
    ]
  } finally {
    await close()
  }
}

/** Milliseconds from a click in the sidebar until a message of that channel is painted. */
async function switches(page: Page, channels: string[]) {
  const took: number[] = []
  for (const id of channels.slice(1, SWITCHES + 1)) {
    took.push(
      await page.evaluate(async (channelId) => {
        const link = document.querySelector<HTMLElement>(`nav a[href="/channels/${channelId}"]`)
        const before = document.querySelector('article[data-message]')
        const start = performance.now()
        link?.click()
        while (!document.querySelector('article[data-message]') || before?.isConnected)
          await new Promise(requestAnimationFrame)
        await new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve()
          port2.postMessage(undefined)
        })
        return performance.now() - start
      }, id),
    )
    await page.waitForTimeout(300)
  }
  return took
}

/** Opens a picker by a key and types into it. */
async function keysIn(page: Page, opener: string) {
  await page.getByPlaceholder('Type a message...').click()
  await page.keyboard.press(opener)
  await page.waitForTimeout(2000)
  const took = await typeSlowly(page)
  await page.keyboard.press('Escape')
  await page.getByPlaceholder('Type a message...').fill('')
  return took
}

async function keysInNewDirect(page: Page) {
  await page.getByRole('button', { name: 'New direct message' }).click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(2000)
  const took = await typeSlowly(page)
  await page.keyboard.press('Escape')
  return took
}

async function typeSlowly(page: Page) {
  await watchKeys(page)
  for (const letters of TYPED) {
    for (const letter of letters) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      await page.waitForTimeout(250)
    }
  }
  return (await measuredKeys(page)).map(({ painted }) => painted)
}

const messages = (page: Page) => page.locator('section[aria-label=Messages] article[data-message]')

/** Adds people, all of them to `general`, and channels, all with the reader. */
async function enlarge(pool: Pool) {
  const { rows } = await pool.query<{ id: string }>(`select id from users where username = 'speaker-1'`)
  const reader = rows.map(({ id }) => id)
  await pool.query(
    `insert into users (id, name, username, email)
     select gen_random_uuid()::text, 'Person ' || n, 'person-' || n, 'person-' || n || '@example.com'
     from generate_series(1, $1::int) n`,
    [PEOPLE],
  )
  for (let n = 0; n < CHANNELS; n++)
    await makeChannel(pool, { name: `team-${n}`, about: '', part: 1 }, reader, new Date())
  await pool.query('analyze')
}
