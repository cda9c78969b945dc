import { queryOptions } from '@tanstack/react-query'
import { fileLimits } from '#contract/files'
import { fileSize } from '../ui/format/file-size.ts'
import { call } from './api.ts'

/** What an upload is held to; it changes when the server is started anew. */
export const uploadLimits = queryOptions({
  queryKey: ['upload-limits'] as const,
  queryFn: () => call(fileLimits, {}),
})

/** Those that the server would refuse; none where the limit is not known. */
export const tooLarge = (files: readonly File[], mostBytes: number | undefined) =>
  files.filter(({ size }) => mostBytes !== undefined && size > mostBytes)

/** The sentence that says so; false where there are none. */
export const tooLargeText = (large: File[], mostBytes: number | undefined) =>
  large.length > 0 && `Too large: ${fileNames(large)}. A file may have at most ${fileSize(mostBytes ?? 0)}.`

/** 'a.txt', 'a.txt and 2 more'. */
export const fileNames = ([first, ...more]: File[]) =>
  `${first?.name}${more.length > 0 ? ` and ${more.length} more` : ''}`
