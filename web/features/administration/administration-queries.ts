import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getHealth, listSettings, listStorage, type storageKinds } from '#contract/administration'
import { call } from '../../api-client/api.ts'

export const workspaceHealth = queryOptions({
  queryKey: ['workspace-health'] as const,
  queryFn: () => call(getHealth, {}),
  staleTime: 0,
  refetchInterval: 30_000,
})

export const serverSettings = queryOptions({
  queryKey: ['server-settings'] as const,
  queryFn: () => call(listSettings, {}),
  staleTime: 0,
})

export const storagePages = (by: (typeof storageKinds)[number]) =>
  infiniteQueryOptions({
    queryKey: ['storage', by] as const,
    queryFn: ({ pageParam }) =>
      call(listStorage, { query: { by, limit: '50', ...(pageParam !== '' && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
