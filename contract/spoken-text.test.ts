import { expect, test } from 'vitest'
import { spokenText } from './spoken-text.ts'

test.each([
  ['Hello **world**, this is _it_.', 'Hello world, this is it.'],
  ['# Title\n\n- one\n- [x] two\n> said', 'Title\none\ntwo\nsaid'],
  ['See [the plan](https://example.com/plan?a=b_c) and https://example.com/x.', 'See the plan and link'],
  ['Run `npm start` in snake_case', 'Run npm start in snake_case'],
  ['Before\n```ts\nconst secret = 1\n```\nafter', 'Before\ncode\nafter'],
  ['~~~\nopen', ''],
  ['@ada wrote to ada@example.com', 'ada wrote to ada@example.com'],
  ['| a | b |\n| --- | --- |\n| 1 | 2 |', 'a, b\n1, 2'],
  ['![a cat](/x.png) \\*not bold\\*', 'a cat \\not bold\\'],
  ['---', ''],
  ['🎉', '🎉'],
  ['', ''],
])('%j is read aloud as %j', (markdown, said) => {
  expect(spokenText(markdown)).toBe(said)
})

test.each(['*_', '[', '](', '`', '```\n', '> ', '| ', '@', '<https://', '\\', '![a](', '__a', '- '])(
  'reading aloud many repetitions of %j takes linear time',
  (piece) => {
    // Quadratic time would exceed the test's timeout.
    expect(spokenText(piece.repeat(Math.floor(300_000 / piece.length)))).toBeTypeOf('string')
  },
)
