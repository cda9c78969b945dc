import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getHealth, listSettings, listStorage, type storageKinds } from '#contract/administration'
import { getLinkPreviewRule } from '#contract/link-previews'
import { getDemo, getSignUp } from '#contract/workspace'
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

export const signUpRule = queryOptions({
  queryKey: ['sign-up-rule'] as const,
  queryFn: () => call(getSignUp, {}),
  staleTime: 0,
})

export const linkPreviewRule = queryOptions({
  queryKey: ['link-preview-rule'] as const,
  queryFn: () => call(getLinkPreviewRule, {}),
  staleTime: 0,
})

export const demoState = queryOptions({
  queryKey: ['demo'] as const,
  queryFn: () => call(getDemo, {}),
  staleTime: 0,
  // Filling it takes a few seconds.
  refetchInterval: ({ state }) => (state.data?.state === 'filling' ? 700 : false),
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
