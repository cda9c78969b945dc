import type { BrowserContext, Page } from '@playwright/test'
import { callApi, channelIdOn, expect } from './fixtures.ts'
import { nextReady } from './live.ts'
import { row } from './sidebar.ts'

declare global {
  interface Window {
    notified: string[]
  }
}

/** Makes pages hidden from the start; they record their notifications across reloads. */
async function hide(context: BrowserContext) {
  await context.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'visibilityState', { get: () => 'hidden' })
    Object.defineProperty(Document.prototype, 'hidden', { get: () => true })
    Document.prototype.hasFocus = () => false
    const KEY = 'notified'
    window.notified = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    class Recorded extends EventTarget {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(_: string, { body = '' }: NotificationOptions) {
        super()
        window.notified.push(body)
        sessionStorage.setItem(KEY, JSON.stringify(window.notified))
      }
      close() {}
    }
    Object.defineProperty(window, 'Notification', { value: Recorded })
  })
}

/** Loads a page of the workspace as a hidden tab, and waits until its socket is ready. */
export async function hiddenTab(page: Page, path = '/') {
  await hide(page.context())
  const ready = nextReady(page)
  await page.goto(path)
  await ready
  await expect(row(page, 'general')).toBeVisible()
  await expect(page).toHaveURL(/\/channels\//)
}

/** The mention count in the tab's title, its icon, and the notifications it showed. */
const tabState = (page: Page) =>
  page.evaluate(() => ({
    calls: /^\((\d+)\)/.exec(document.title)?.[1],
    icon: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href.split('/').at(-1),
    notified: window.notified,
  }))

/** A hidden page may take long to reconnect. */
export const expectNotified = (page: Page, texts: string[]) =>
  expect
    .poll(() => tabState(page), { timeout: 90_000 })
    .toEqual({ calls: String(texts.length), icon: 'icon-calls.svg', notified: texts })

/** Sends a message to the channel shown by the other person's page. */
export const sendMention = (by: Page, to: Page, text: string) =>
  callApi(by, 'POST', '/api/messages', { channelId: channelIdOn(to), content: text })
