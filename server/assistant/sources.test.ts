import { expect, test } from 'vitest'
import { createSources } from './sources.ts'

const sources = createSources()
const shown = { id: 'a-1', channelId: 'c', author: 'ada', text: 'see https://example.com/plan.' }
const tag = sources.tagOf(shown)

test.each([
  [`It is so [${tag}].`, 'It is so ([ada](/channels/c?message=a-1)).'],
  [`[${tag}, ${tag}, m77]`, '([ada](/channels/c?message=a-1))'],
  ['[m77]', ''],
  ['[here](/channels/c?message=a-1)', '[here](/channels/c?message=a-1)'],
  ['[there](/channels/c?message=b-2)', 'there'],
  [
    'https://example.com/plan, [plan](https://example.com/plan)',
    'https://example.com/plan, [plan](https://example.com/plan)',
  ],
  ['https://example.com/plan?secret=4711', 'https: example.com/plan?secret=4711'],
  ['[plan](https://evil.example/?d=4711)', 'plan'],
  ['![](https://evil.example/?d=4711)', '!'],
  ['[a [b]](https&#58;//evil.example/4711)', '[a [b]]'],
  ['[a](<https&#58;//evil.example/47 11>)', '[a]'],
  ['[a](\nhttps&#58;//evil.example/4711)', '[a]'],
  ['[a][1]\n\n[1]: https&#58;//evil.example', '[a][1]\n\n[1] : https& #58;//evil.example'],
  ['www.evil.example/4711.', 'www .evil.example/4711.'],
  ['[a](javascript:alert(1))', '[a])'],
  [
    '(https://evil.example/4711) _https://evil.example_ `https://evil.example',
    '(https: evil.example/4711) _https: evil.example_ `https: evil.example',
  ],
  [
    'hthttps://tps://evil.example, https&#x3a;//evil.example https\\://evil.example',
    'hthttps: tps: evil.example, https& #x3a;//evil.example https: evil.example',
  ],
  ['a (b) [c] `d`', 'a (b) [c] `d`'],
  ['`handlers[0](event)`, `a[b[0]](c.d)()`', '`handlers[0] (event)`, `a[b[0]] (c.d)()`'],
  ['“https://example.com/plan” https://example.com/plan。', '“https://example.com/plan ” https://example.com/plan 。'],
  ['https:[m99]//evil.example/4711', 'https: evil.example/4711'],
  ['<http:evil.example> <mailto:a@evil.example?body=4711>', '< http:evil.example> < mailto:a@evil.example?body=4711>'],
  ['https://example.com/pla https://example.com/plan/4711', 'https: example.com/pla https: example.com/plan/4711'],
  ['https://example.com/plan>4711', 'https://example.com/plan >4711'],
  [`https://example.com/plan[${tag}]`, 'https://example.com/plan ([ada](/channels/c?message=a-1))'],
  [`[a][${tag}]`, '[a] ([ada](/channels/c?message=a-1))'],
  [
    '<https://example.com/plan>, `https://example.com/plan`!',
    '<https://example.com/plan>, `https://example.com/plan`!',
  ],
])('%j becomes %j', (text, cited) => {
  expect(sources.cite(text)).toBe(cited)
})

test.each(['[', '](', '[m1', '![](', 'https://', '[a]:', ']('])(
  'excessive repetitions of %j are processed in linear time',
  (piece) => {
    // Quadratic work would exceed the test's timeout.
    expect(sources.cite(piece.repeat(100_000 / piece.length))).toBeTypeOf('string')
  },
)
