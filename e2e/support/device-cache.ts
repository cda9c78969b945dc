import type { Page, Route } from '@playwright/test'
import { callApi, channelIdOn, createChannel, expect, say, uniqueName } from './fixtures.ts'
import { messageId } from './message-rows.ts'

interface Found {
  halves: number
  /** The sizes of the records in bytes, by name. */
  records: Record<string, number>
  /** The cached revision of each conversation's channel. */
  revs: Record<string, number>
}

/** The contents of the device cache. */
export const onDevice = (page: Page): Promise<Found> =>
  page.evaluate(async () => {
    const found: Found = { halves: 0, records: {}, revs: {} }
    const known = await indexedDB.databases()
    if (!known.some(({ name }) => name === 'parley.device')) return found
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const db = await done(indexedDB.open('parley.device'))
    const tx = db.transaction(['halves', 'entries', 'contents'])
    const [halves, names, contents, entryNames, entries] = await Promise.all([
      done(tx.objectStore('halves').count()),
      done(tx.objectStore('contents').getAllKeys()),
      done(tx.objectStore('contents').getAll()),
      done(tx.objectStore('entries').getAllKeys()),
      done(tx.objectStore('entries').getAll()),
    ])
    db.close()
    found.halves = halves
    for (const [at, name] of names.entries()) found.records[String(name)] = contents[at].content?.byteLength ?? 0
    for (const [at, name] of entryNames.entries()) found.revs[String(name)] = entries[at].rev
    return found
  })

export const NOTHING: Found = { halves: 0, records: {}, revs: {} }

/** Waits until the device cache contains the current state of the open conversation. */
export async function untilKept(page: Page) {
  const channelId = channelIdOn(page)
  const { rev } = await callApi(page, 'GET', `/api/channels/${channelId}`)
  await expect.poll(async () => (await onDevice(page)).revs[channelId] ?? -1).toBeGreaterThanOrEqual(rev)
  await expect.poll(async () => Object.keys((await onDevice(page)).records)).toContain('start')
}

/** Holds back every call to the API, and the live connection, until released. */
export async function holdServer(page: Page) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const hold = async (route: Route) => {
    await released
    await route.continue().catch(() => {})
  }
  await page.route(/\/(api|socket\.io)\//, hold)
  return release
}

/** A page of Ada in a new channel with a message that is in her device cache. */
export async function pageWithKept(ada: Page, text: string, options?: Parameters<typeof createChannel>[2]) {
  const name = uniqueName('kept')
  const channelId = await createChannel(ada, name, options)
  await say(ada, text)
  await messageId(ada, text)
  await untilKept(ada)
  return { name, channelId }
}

/** Tracks from the first frame on whether a text ever appears in the page. */
export const watchFor = (page: Page, text: string) =>
  page.addInitScript((sought) => {
    new MutationObserver(() => {
      if (document.body?.textContent?.includes(sought)) Object.assign(window, { wasSeen: true })
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, text)

export const wasSeen = (page: Page) => page.evaluate(() => 'wasSeen' in window)
