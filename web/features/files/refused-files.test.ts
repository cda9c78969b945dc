import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { partitionFiles } from './refused-files.ts'

const file = (name: string, size: number) => new File([new Uint8Array(size)], name)

test('files that are too large, empty or too many are refused, each reason in its own sentence', () => {
  const [fits, large, empty] = [file('fits.txt', 10), file('large.bin', 11), file('empty.txt', 0)]
  expect(partitionFiles([fits, large, empty, empty], 0, 10)).toEqual({
    accepted: [fits],
    problem:
      "Too large: large.bin. Files can be up to 10 B. Too small: empty.txt and 1 more. Empty files can't be uploaded.",
  })
  expect(partitionFiles([fits, large], 0, undefined)).toEqual({ accepted: [fits, large], problem: undefined })
  expect(partitionFiles([fits, large], limits.filesAtOnce - 1, undefined)).toEqual({
    accepted: [fits],
    problem: 'Too many files. You can upload up to 100 at once.',
  })
  expect(partitionFiles([fits], limits.filesAtOnce, undefined).accepted).toEqual([])
})
