import { queryOptions } from '@tanstack/react-query'
import { fileLimits } from '#contract/files'
import { t } from '../i18n/text.ts'
import { fileSize } from '../ui/format/file-size.ts'
import { call } from './api.ts'

/** The limits of uploads; they change only when the server restarts. */
export const uploadLimits = queryOptions({
  queryKey: ['upload-limits'] as const,
  queryFn: () => call(fileLimits, {}),
})

/** The files that the server would refuse; none while the limit is unknown. */
export const tooLarge = (files: readonly File[], maxBytes: number | undefined) =>
  files.filter(({ size }) => maxBytes !== undefined && size > maxBytes)

/** The sentence for files that are too large; false if there are none. */
export const tooLargeText = (large: File[], maxBytes: number | undefined) =>
  large.length > 0 && t('files.tooLarge', { files: fileNames(large), size: fileSize(maxBytes ?? 0) })

/** 'a.txt', 'a.txt and 2 more'. */
export const fileNames = ([first, ...more]: File[]) =>
  more.length > 0 ? t('files.nameAndMore', { name: first?.name ?? '', count: more.length }) : (first?.name ?? '')
