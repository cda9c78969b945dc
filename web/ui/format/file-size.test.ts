import { expect, test } from 'vitest'
import { fileSize } from './file-size.ts'

test('a file size has the largest fitting unit', () => {
  const sizes = [0, 1, 999, 1000, 1234, 84_000, 99_949, 99_950, 999_499, 999_500, 1_200_000, 1e9, 2.55e12, 9e15]
  expect(sizes.map(fileSize)).toEqual([
    '0 B',
    '1 B',
    '999 B',
    '1 KB',
    '1.2 KB',
    '84 KB',
    '99.9 KB',
    '100 KB',
    '999 KB',
    '1 MB',
    '1.2 MB',
    '1 GB',
    '2.6 TB',
    '9000 TB',
  ])
})
