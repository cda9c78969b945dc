import type { Page, Request } from '@playwright/test'

/** Whether a request opens a new connection of Socket.IO. */
export function isHandshake(request: Request) {
  const { pathname, searchParams } = new URL(request.url())
  return pathname === '/socket.io/' && !searchParams.has('sid')
}

/** Leaves a page, so that nothing which it begins late is taken for the next one's. Returns how to come back. */
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

/** Resolves once a new connection of the page sends over its WebSocket only. */
export const nextUpgrade = (page: Page) =>
  new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      // Engine.IO's "upgrade" packet: nothing is sent by polling from here on.
      socket.on('framesent', ({ payload }) => payload === '5' && resolve()),
    )
  })
