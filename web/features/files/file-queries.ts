import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type FileKind, listFiles } from '#contract/files'
import { limits } from '#contract/limits'
import { call } from '../../api-client/api.ts'

export interface FileFilter {
  /** A part of the name; '' for all. */
  name: string
  kind: FileKind | undefined
}

/** The common key of all lists of files. */
export const FILES_KEY = ['files'] as const

/** The files of all channels I may read that pass a filter, newest first, page by page. */
export const filesLike = ({ name, kind }: FileFilter) =>
  infiniteQueryOptions({
    queryKey: [...FILES_KEY, name, kind] as const,
    queryFn: ({ pageParam, signal }) =>
      call(
        listFiles,
        {
          query: {
            limit: limits.page.max,
            ...(pageParam && { before: pageParam }),
            ...(name && { name }),
            ...(kind && { kind }),
          },
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < limits.page.max ? undefined : page.at(-1)?.id),
    placeholderData: keepPreviousData,
    // The panel always shows the current files.
    staleTime: 0,
  })
