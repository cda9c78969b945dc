import type { Page } from '@playwright/test'

/** Timeout until somebody is offline: if a page closed before its WebSocket was open, only the next ping reveals it. */
export const UNTIL_OFFLINE = { timeout: 90_000 }

/** Leaves a page, so that its late requests are not mistaken for the next page's. Returns how to come back. */
export async function leave(page: Page) {
  const address = page.url()
  await page.goto('about:blank')
  return () => page.goto(address)
}

/** Resolves with the next 'ready' event of the page, over a WebSocket or by polling. */
export const nextReady = (page: Page) =>
  new Promise<void>((resolve) => {
    const hear = (packet: string) => packet.includes('["ready"') && resolve()
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => hear(String(payload))))
    page.on('response', async (response) => {
      if (response.url().includes('/socket.io/')) hear(await response.text().catch(() => ''))
    })
  })
