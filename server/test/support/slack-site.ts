import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

/** Plays Slack on loopback: its API for one token, and its files, which need that token or the one in an export's links. */
export async function startSlack() {
  const token = 'xoxp-1-right'
  const exportToken = 'xoxe-1-export'
  const files = new Map<string, { bytes: Buffer; type: string }>()
  /** Instead of the usual answer, by path. */
  const answers = new Map<string, Answer>()
  const emoji: Record<string, string> = {}
  const requests: { path: string; authorization: string | undefined }[] = []
  const scopes = new Set(['files:read', 'emoji:read'])

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    const { authorization } = request.headers
    requests.push({ path: pathname, authorization })
    const json = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const isKnown = authorization === `Bearer ${token}`
    const answer = answers.get(pathname)
    if (answer) return void answer(response, request)
    if (pathname === '/api/auth.test') return json(isKnown ? { ok: true } : { ok: false, error: 'invalid_auth' })
    if (pathname === '/api/emoji.list')
      return json(isKnown && scopes.has('emoji:read') ? { ok: true, emoji } : { ok: false, error: 'missing_scope' })
    if (pathname === '/signin') return response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>Sign in')
    const file = files.get(pathname)
    if (!file) return response.writeHead(404).end()
    const isOpen = pathname.startsWith('/emoji/') || searchParams.get('t') === exportToken
    if (!isOpen && !(isKnown && scopes.has('files:read')))
      return response.writeHead(302, { location: `/signin?redir=${encodeURIComponent(pathname)}` }).end()
    return response.setHeader('content-type', file.type).end(file.bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    settings: { SLACK_URL: origin, OUTBOUND_ALLOW: '127.0.0.1' },
    token,
    exportToken,
    answers,
    emoji,
    files,
    requests,
    scopes,
    close() {
      server.closeAllConnections()
      server.close()
    },
    /** Adds a file. @returns as a message of an export lists it */
    file(id: string, name: string, bytes: Buffer | string, type = 'application/octet-stream') {
      const path = `/files-pri/T1-${id}/download/${name}`
      const content = Buffer.from(bytes as string)
      files.set(path, { bytes: content, type })
      return {
        id,
        name,
        size: content.length,
        mimetype: type,
        mode: 'hosted',
        url_private_download: `${origin}${path}`,
      }
    },
    /** Adds an emoji's picture, of which `emoji` has the address. */
    picture(name: string, bytes: Buffer | Uint8Array) {
      files.set(`/emoji/${name}.png`, { bytes: Buffer.from(bytes), type: 'image/png' })
      emoji[name] = `${origin}/emoji/${name}.png`
    },
  }
}
