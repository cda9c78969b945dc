import { expect, test } from 'vitest'
import { decodePage, readPage } from './page-facts.ts'

test('Open Graph comes first, then what others use', () => {
  const html = `<!doctype html><html><head>
    <title>Plain &amp; simple</title>
    <meta name="description" content="described">
    <meta property="og:title" content="Open &quot;Graph&quot;">
    <meta property="og:title" content="second">
    <META NAME="twitter:description" CONTENT="for a network">
    <meta property="og:site_name" content="The site">
    <meta property="og:image" content="/picture.png">
    <link rel="alternate" type="application/json+oembed" href="/oembed?url=x&amp;format=json">
    </head><body><title>in a picture</title><meta property="og:description" content="in the body"></body>`
  expect(readPage(html)).toEqual({
    title: 'Open "Graph"',
    description: 'for a network',
    site: 'The site',
    picture: '/picture.png',
    oembed: '/oembed?url=x&format=json',
  })
})

test('a page may say nothing, or be no page', () => {
  const nothing = { title: '', description: '', site: '', picture: undefined, oembed: undefined }
  for (const html of ['', '<', 'text', '<html><body>x', '<meta property="og:title" content=" ">', '<meta content="x">'])
    expect(readPage(html)).toEqual(nothing)
  expect(readPage('<title>Only a title')).toEqual({ ...nothing, title: 'Only a title' })
  // A script that writes HTML.
  expect(readPage('<script>"<title>no</title>"</script><title>yes</title>').title).toBe('yes')
})

test.each(['<svg>', '<template>', '<noscript>', '<a x', '<p>', '</p>', '&amp;', '<title>&lt;', '<meta a>', '<!---->'])(
  'a page of %j only is not read to its end',
  (part) => {
    const html = `<title>First</title>${part.repeat(1_000_000 / part.length)}<title>Last</title>`
    expect(readPage(html).title).toBe('First')
    const attributes = Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(' ')
    expect(readPage(`<meta ${attributes} name="og:title" content="x">`).title).toBe('')
  },
)

test('pages are read in their encoding', () => {
  const latin = Buffer.from('<title>Caf\xe9</title>', 'latin1')
  expect(decodePage(latin, 'text/html; charset=ISO-8859-1')).toContain('Café')
  expect(decodePage(Buffer.concat([Buffer.from('<meta charset="windows-1252">'), latin]), 'text/html')).toContain(
    'Café',
  )
  const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
  expect(decodePage(japanese, 'text/html;charset=Shift_JIS')).toBe('日本')
  expect(decodePage(Buffer.from('Café'), 'text/html; charset=nonsense')).toBe('Café')
  expect(decodePage(Buffer.from('\uFEFFCafé'), '')).toBe('Café')
})
