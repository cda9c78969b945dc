import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { zipOf } from '../../../test/support/import-archive.ts'
import { openArchive } from '../../archive/open-archive.ts'
import { GridFs } from './grid-fs.ts'

/** Runs with a new store, then closes its archive. */
async function withGrid(act: (grid: GridFs) => Promise<void>, maxBytes?: number) {
  const archive = await openArchive(await zipOf({ 'a.json': [] }))
  await act(await GridFs.open(archive, maxBytes)).finally(() => archive.close())
}

it('chunks of several files in any order become their files', () =>
  withGrid(async (grid) => {
    grid.expect('a', 7)
    grid.expect('b', 2)
    grid.expect('empty', 0)
    for (const [key, number, bytes] of [
      ['a', 2, 'g'],
      ['b', 0, 'xy'],
      ['a', 0, 'abc'],
      ['a', 1, 'def'],
    ] as const)
      await grid.add(key, number, Buffer.from(bytes))
    expect(['a', 'b', 'empty', 'c'].map(grid.sizeOf, grid)).toEqual([7, 2, 0, undefined])
    expect(await text(await grid.open('a'))).toBe('abcdefg')
    expect(await text(await grid.open('b'))).toBe('xy')
    expect(await text(await grid.open('empty'))).toBe('')
  }))

it('a large chunk is read in pieces', () =>
  withGrid(async (grid) => {
    const bytes = Buffer.alloc(600_000, 'abcdefg')
    grid.expect('a', 600_001)
    await grid.add('a', 1, Buffer.from('!'))
    await grid.add('a', 0, bytes)
    const sizes: number[] = []
    let whole = ''
    for await (const piece of await grid.open('a')) {
      sizes.push(piece.length)
      whole += piece
    }
    expect(Math.max(...sizes)).toBeLessThan(300_000)
    expect(whole).toBe(`${bytes}!`)
  }))

it.each<[string, [number | null, string][], string | undefined]>([
  [
    'a chunk twice',
    [
      [0, 'ab'],
      [0, 'ab'],
      [1, 'cd'],
    ],
    'abcd',
  ],
  [
    'two chunks with one number',
    [
      [0, 'abc'],
      [0, 'd'],
    ],
    undefined,
  ],
  [
    'a gap',
    [
      [0, 'ab'],
      [2, 'cd'],
    ],
    undefined,
  ],
  [
    'no first chunk',
    [
      [1, 'ab'],
      [2, 'cd'],
    ],
    undefined,
  ],
  [
    'too few bytes',
    [
      [0, 'ab'],
      [1, 'c'],
    ],
    undefined,
  ],
  [
    'too many bytes',
    [
      [0, 'ab'],
      [1, 'cde'],
    ],
    undefined,
  ],
  [
    'another chunk after the end',
    [
      [0, 'abcd'],
      [1, 'e'],
    ],
    undefined,
  ],
  [
    'a chunk after it was found damaged',
    [
      [0, 'abcde'],
      [0, 'abcd'],
    ],
    undefined,
  ],
  [
    'a chunk without a number',
    [
      [null, 'ab'],
      [0, 'ab'],
      [1, 'cd'],
    ],
    'abcd',
  ],
  [
    'an empty chunk',
    [
      [0, ''],
      [0, 'abcd'],
    ],
    'abcd',
  ],
])('a file of four bytes with %s', (_, chunks, expected) =>
  withGrid(async (grid) => {
    grid.expect('a', 4)
    for (const [number, bytes] of chunks) {
      await grid.add('a', number, Buffer.from(bytes))
      await grid.add('unknown', number, Buffer.from(bytes))
    }
    expect(grid.sizeOf('unknown')).toBeUndefined()
    expect(grid.sizeOf('a')).toBe(expected?.length)
    if (expected) expect(await text(await grid.open('a'))).toBe(expected)
  }),
)

it('a file of a great many tiny chunks is refused', () =>
  withGrid(async (grid) => {
    grid.expect('a', 20)
    for (let number = 0; number < 20; number++) await grid.add('a', number, Buffer.from('x'))
    expect(grid.sizeOf('a')).toBeUndefined()
  }))

it('only files that the archive lists take space, and not more than the limit', () =>
  withGrid(async (grid) => {
    grid.expect('a', 8)
    await grid.add('unknown', 0, Buffer.alloc(100))
    await grid.add('a', 0, Buffer.alloc(4))
    await expect(grid.add('a', 1, Buffer.alloc(4))).rejects.toMatchObject({ reason: 'tooLarge' })
  }, 7))
