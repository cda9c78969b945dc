import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { webClient } from './web-client.ts'

/** A server with these files as its built client. */
async function serve(files: Record<string, string>) {
  const root = await mkdtemp(join(tmpdir(), 'parley-web-client-'))
  atEnd(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'assets'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content)
  const app = fastify()
  atEnd(() => app.close())
  await app.register(async (pages) => webClient(pages, root))
  return (url: string, encoding = 'identity') => app.inject({ url, headers: { 'accept-encoding': encoding } })
}

const files = {
  'index.html': 'the page',
  'index.html.br': 'the page, by brotli',
  'icon.svg': 'the icon',
  'assets/app-1a2b.js': 'the script',
  'assets/app-1a2b.js.br': 'the script, by brotli',
  'assets/app-1a2b.js.gz': 'the script, by gzip',
}

test('assets are served precompressed, and cached for a year because their names contain a hash', async () => {
  const get = await serve(files)
  for (const [accepted, encoding, content] of [
    ['identity', undefined, 'the script'],
    ['br, deflate', 'br', 'the script, by brotli'],
    ['gzip, deflate', 'gzip', 'the script, by gzip'],
  ] as const) {
    const { headers, body } = await get('/assets/app-1a2b.js', accepted)
    expect([headers['content-encoding'], body]).toEqual([encoding, content])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers.vary).toContain('accept-encoding')
  }
  expect((await get('/icon.svg')).headers['cache-control']).toBe('no-cache')
})

test('every page URL returns the same document, which browsers don’t store', async () => {
  const get = await serve(files)
  for (const url of ['/', '/channels/1', '/no/such/page']) {
    const { headers, body } = await get(url, 'br')
    expect([headers['content-encoding'], body]).toEqual(['br', 'the page, by brotli'])
    expect(headers['cache-control']).toBe('no-store')
  }
})
