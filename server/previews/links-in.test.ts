import { expect, test } from 'vitest'
import { linksIn } from './links-in.ts'

test.each<[string, string[]]>([
  ['no link', []],
  ['https://a.example/x', ['https://a.example/x']],
  ['See https://a.example/x, or (https://b.example/y).', ['https://a.example/x', 'https://b.example/y']],
  ['https://a.example/Foo_(bar) and (https://a.example/Foo_(bar))', ['https://a.example/Foo_(bar)']],
  [
    '[text](https://a.example/x "title") ![alt](https://b.example/y.png)',
    ['https://a.example/x', 'https://b.example/y.png'],
  ],
  ['[https://a.example](https://b.example)', ['https://a.example', 'https://b.example']],
  ['<https://a.example/x>', ['https://a.example/x']],
  ['**https://a.example/x** _https://b.example/y_', ['https://a.example/x', 'https://b.example/y']],
  ['| https://a.example/x| cell', ['https://a.example/x']],
  ['https://a.example/?a=1&b=2#c', ['https://a.example/?a=1&b=2#c']],
  ['https://a.example/x&quot;', ['https://a.example/x']],
  ['見て：https://a.example/道。次', ['https://a.example/道。次']],
  ['https://a.example/x。', ['https://a.example/x']],
  ['HTTPS://A.example/x', ['HTTPS://A.example/x']],
  ['http://[2606:4700::1111]:8080/x', ['http://[2606:4700::1111]:8080/x']],
  // Not in code, and only of the web.
  ['`https://a.example/x` https://b.example/y', ['https://b.example/y']],
  ['``a ` https://a.example`` https://b.example/y', ['https://b.example/y']],
  ['```\nhttps://a.example/x\n```\nhttps://b.example/y', ['https://b.example/y']],
  ['```\nhttps://a.example/x', []],
  ['~~~\nhttps://a.example/x\n~~~', []],
  ['ftp://a.example javascript:alert(1) mailto:a@b.example xhttps://a.example', []],
  ['https:// http://', []],
  ['- ```\n  https://a.example/x\n  ```\n- https://b.example/y', ['https://b.example/y']],
  ['> 1. ~~~\n> https://a.example/x', []],
  ['\\`https://a.example/x\\`', ['https://a.example/x']],
  // A backtick alone is no code.
  ["the ` key: https://a.example/x isn't", ['https://a.example/x']],
  // Each once, and the first ones.
  ['https://a.example https://a.example https://b.example', ['https://a.example', 'https://b.example']],
  [
    'https://a.example https://b.example https://c.example https://d.example',
    ['https://a.example', 'https://b.example', 'https://c.example'],
  ],
  [`https://a.example/${'x'.repeat(2048)}`, []],
])('finds the links in %j', (content, links) => {
  expect(linksIn(content)).toEqual(links)
})

test('a long end is cut, too', () => {
  expect(linksIn(`https://a.example/${').'.repeat(1000)}`)).toEqual(['https://a.example/'])
})
