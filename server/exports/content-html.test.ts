import { expect, test } from 'vitest'
import { contentHtml, emojiHtml } from './content-html.ts'

const paths = new Map([
  ['ship', 'emoji/ship.webp'],
  ['boat', 'emoji/ship.webp'],
  ['c+', 'emoji/c+.webp'],
  ['星星', 'emoji/星星.webp'],
])
const picture = (sign: string, path: string) =>
  `<img class="emoji" src="../../emoji/${path}" alt="${sign}" title="${sign}">`
const text = (content: string) => /^<p class="text">(.*)<\/p>$/.exec(contentHtml(content, paths))?.[1]

test('emoji of the workspace are pictures, by any of their names', () => {
  expect(text('a :ship:, :Boat: & :ship::c+:')).toBe(
    `a ${picture(':ship:', 'ship.webp')}, ${picture(':Boat:', 'ship.webp')} &amp; ${picture(':ship:', 'ship.webp')}${picture(':c+:', 'c%2B.webp')}`,
  )
  expect(text('看:星星:')).toBe(`看${picture(':星星:', '%E6%98%9F%E6%98%9F.webp')}`)
  expect(emojiHtml(':boat:', paths)).toBe(picture(':boat:', 'ship.webp'))
})

test('other texts with colons stay texts', () => {
  for (const same of ['at 10:30:45', 'std::ship::sail', 'a:ship:', ':ship:1', ':gone:', '/:ship:', '👍 :'])
    expect(text(same), same).toBe(same)
  expect(emojiHtml(':gone:', paths)).toBe(':gone:')
  expect(emojiHtml('👍', paths)).toBe('👍')
  expect(emojiHtml('<b>', paths)).toBe('&lt;b&gt;')
})

test('code and URLs contain no emoji', () => {
  expect(text('`:ship:` and ``a ` :ship:`` but `')).toBe('`:ship:` and ``a ` :ship:`` but `')
  expect(text('https://a.example/:ship:')).toBe(
    '<a href="https://a.example/:ship:" rel="noreferrer">https://a.example/:ship:</a>',
  )
  expect(contentHtml('```\n:ship:\n```', paths)).toBe('<pre>:ship:</pre>')
})

test('everything around an emoji is escaped', () => {
  expect(text('<b> :ship: "x" <script>')).toBe(
    `&lt;b&gt; ${picture(':ship:', 'ship.webp')} &quot;x&quot; &lt;script&gt;`,
  )
})
