import type { Page, Request } from '@playwright/test'

/** Whether a request opens a new connection of Socket.IO. */
function isHandshake(request: Request) {
  const { pathname, searchParams } = new URL(request.url())
  return pathname === '/socket.io/' && !searchParams.has('sid')
}

/**
 * Follows the attempts of a page to open a connection of Socket.IO, by polling or by WebSocket, whichever it tries first.
 * @param onEnd called when the attempt has failed or was answered
 */
export function followAttempts(page: Page, onBegin: () => void, onEnd = () => {}) {
  const begun = new Set<Request>()
  const end = (request: Request) => begun.delete(request) && onEnd()
  page.on('request', (request) => {
    if (!isHandshake(request)) return
    begun.add(request)
    onBegin()
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('websocket', (socket) => {
    // Otherwise it continues a connection that began by polling.
    if (new URL(socket.url()).searchParams.has('sid')) return
    let isOpen = true
    const endOnce = () => {
      if (isOpen) onEnd()
      isOpen = false
    }
    onBegin()
    socket.on('framereceived', endOnce)
    socket.on('socketerror', endOnce)
    socket.on('close', endOnce)
  })
}

/** Until somebody is offline: of a page that closed before its WebSocket was open, only the next ping tells. */
export const UNTIL_OFFLINE = { timeout: 90_000 }

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
