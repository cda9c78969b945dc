import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../installation.ts'
import { startParley } from '../test/support/parley.ts'
import { shortNameOf } from './web-manifest.ts'

const parley = await startParley({ PUBLIC_URL: 'https://chat.example.com' })
// Ada came first, so she owns the workspace. Nothing here is signed in but her renaming.
const { ada } = await parley.people('ada')
const PATH = '/manifest.webmanifest'
const ask = (language?: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  parley.app.inject({ method, url: PATH, headers: { ...(language && { 'accept-language': language }), ...headers } })

test('a visitor receives the app’s description, named after the workspace', async () => {
  await ada.patch('/api/workspace', { name: 'Acme & Sons Inc.' })
  const { statusCode, headers, ...reply } = await ask()
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/manifest+json; charset=utf-8'])
  expect(reply.json()).toMatchObject({
    name: 'Acme & Sons Inc.',
    short_name: 'Acme & Sons',
    id: '/',
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
    },
  })
  // Nothing in it may depend on who asks: browsers fetch it without cookies.
  const signedIn = await ask(undefined, { authorization: `Bearer ${ada.token}` })
  expect(signedIn.body).toBe(reply.body)
  expect(headers['content-security-policy']).toContain("default-src 'self'")
})

test.each([
  ['de-AT,de;q=0.9', 'de', 'ltr', 'Entwürfe'],
  ['ar', 'ar', 'rtl', 'المسودات'],
  ['xx, fr;q=0.5', 'fr', 'ltr', 'Brouillons'],
  ['', 'en', 'ltr', 'Drafts'],
  ['../../package', 'en', 'ltr', 'Drafts'],
])('a browser that asks for %j receives the shortcuts in %s', async (accepted, lang, dir, drafts) => {
  const { headers, ...reply } = await ask(accepted)
  const manifest = reply.json()
  expect(manifest).toMatchObject({ lang, dir })
  expect(manifest.shortcuts.map(({ name }: { name: string }) => name)).toContain(drafts)
  expect(headers['vary']).toContain('accept-language')
})

test('a browser that has it receives 304 until the workspace is renamed', async () => {
  const etagOf = async (language?: string) => String((await ask(language)).headers.etag)
  const etag = await etagOf()
  expect((await ask()).headers['cache-control']).toBe('no-cache')
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const { statusCode, body } = await ask(undefined, { 'if-none-match': known })
    expect([statusCode, body]).toEqual([304, ''])
  }
  expect((await ask('ja', { 'if-none-match': etag })).statusCode).toBe(200)
  await ada.patch('/api/workspace', { name: 'Renamed' })
  expect((await ask(undefined, { 'if-none-match': etag })).statusCode).toBe(200)
  expect(await etagOf()).not.toBe(etag)
})

test('HEAD has the headers without the body; other methods and the API’s documentation don’t have it', async () => {
  const { statusCode, headers, body } = await ask(undefined, {}, 'HEAD')
  expect([statusCode, headers['content-type'], body]).toEqual([200, 'application/manifest+json; charset=utf-8', ''])
  expect((await parley.app.inject({ method: 'POST', url: PATH })).statusCode).toBe(404)
  expect((await parley.app.inject('/api/openapi.json')).body).not.toContain('webmanifest')
})

test('every picture exists', async () => {
  const { icons, shortcuts } = (await ask()).json()
  const pictures = [...icons, ...shortcuts.flatMap((shortcut: { icons: object[] }) => shortcut.icons)]
  expect(pictures).toHaveLength(7)
  for (const { src } of pictures) expect(existsSync(join(ROOT, 'web/public', src)), src).toBe(true)
})

test.each([
  ['Parley', 'Parley'],
  ['Twelve chars', 'Twelve chars'],
  ['Acme Research Lab', 'Acme'],
  ['Smith & Wesson Ltd', 'Smith'],
  ['University of Somewhere', 'University'],
  ['Donaudampfschifffahrtsgesellschaft', 'Parley'],
  ['技術研究所の人々と技術研究所の友達', expect.stringMatching(/^技術研究.{0,8}$/)],
  ['🦉🦉🦉🦉🦉🦉🦉🦉🦉🦉🦉🦉🦉', 'Parley'],
])('below an icon, %j is called %j', (name, short) => {
  expect(shortNameOf(name, 'en')).toEqual(short)
})
