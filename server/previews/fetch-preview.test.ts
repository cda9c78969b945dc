import { expect, test } from 'vitest'
import { bounds } from '../limits/bounds.ts'
import { parseAllowedHosts } from '../outbound/allowed-hosts.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { pngOf, startLinkedSite } from '../test/support/linked-site.ts'
import { fetchPreview } from './fetch-preview.ts'

const { close, origin, page } = await startLinkedSite()
atEnd(close)
const outbound = createOutbound({ purpose: 'tests', allowed: parseAllowedHosts(['127.0.0.1']) })
const fetchPage = (path: string) => fetchPreview({ outbound, bounds }, `${origin}${path}`, AbortSignal.timeout(20_000))

page('/wide.png', await pngOf(1200, 600), 'image/png')

test('oEmbed completes what the page leaves out', async () => {
  page('/video', '<link rel="alternate" type="application/json+oembed" href="/oembed">')
  const film = { type: 'video', title: 'A film', provider_name: 'Films', thumbnail_url: '/wide.png', html: '<script>' }
  page('/oembed', JSON.stringify(film), 'application/json')
  expect(await fetchPage('/video')).toMatchObject({ title: 'A film', site: 'Films', picture: { width: 1200 } })
  page('/oembed', JSON.stringify({ type: 'photo', title: 7, url: `${origin}/wide.png` }), 'application/json')
  expect(await fetchPage('/video')).toMatchObject({ title: '', site: '127.0.0.1', picture: { width: 1200 } })
  for (const broken of ['{', '[]', 'null', '[[[['.repeat(10_000)]) {
    page('/oembed', broken, 'application/json')
    expect(await fetchPage('/video')).toBeUndefined()
  }
})

test.each([
  ['a script in disguise', '/fake.png'],
  ['an icon', '/tiny.png'],
  ['a vector', '/vector.svg'],
  ['too much', '/huge.png'],
  ['a private host', 'http://10.0.0.1/x.png'],
  ['data', 'data:image/png;base64,AAAA'],
  ['no URL', 'http://['],
  ['nothing', '/missing.png'],
])('a page keeps its text if its picture is %s', async (_, src) => {
  page('/fake.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/png')
  page('/tiny.png', await pngOf(16, 16), 'image/png')
  page('/vector.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>', 'image/svg+xml')
  page('/huge.png', Buffer.concat([await pngOf(99, 99), Buffer.alloc(4 * 1024 * 1024)]), 'image/png')
  page('/page', `<title>A page</title><meta property="og:image" content="${src}">`)
  expect(await fetchPage('/page')).toMatchObject({ title: 'A page', picture: null })
})

test.each([
  ['a\n\n b\u0000\u202e c', 'a b c'],
  [`a\ud83d`, 'a\ufffd'],
  ['\u200b\u2060\u00a0\u0301', ''],
  ['x'.repeat(500), `${'x'.repeat(199)}…`],
  ['👩‍👩‍👧‍👦'.repeat(100), expect.stringMatching(/^[^\ufffd]*…$/u)],
])('a title is one short line: %j', async (title, shown) => {
  page('/title', `<title>${title}</title><meta property="og:image" content="/wide.png">`)
  expect(await fetchPage('/title')).toMatchObject({ title: shown })
})
