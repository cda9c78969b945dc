import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

/** With these settings, a server may fetch the pages of a site. */
export const LINKED_SITE_SETTINGS = { LINK_PREVIEWS: 'on', OUTBOUND_ALLOW: '127.0.0.1' }

/** Starts a web site on loopback, for links. */
export async function startLinkedSite() {
  const pages = new Map<string, (response: ServerResponse) => unknown>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const page = pages.get(request.url ?? '')
    if (page) page(response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
    /** The paths that were asked for. */
    requests,
    /** What it answers, by path. */
    pages,
    page(path: string, content: string | Buffer, type = 'text/html; charset=utf-8') {
      pages.set(path, (response) => response.setHeader('content-type', type).end(content))
    },
  }
}

/** A picture of one colour. */
export const pngOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#963' } })
    .png()
    .toBuffer()
