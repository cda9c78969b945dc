import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { listMembers } from '#contract/members'
import { call } from '../../../api-client/api.ts'
import { fetchAllPages } from '../../../api-client/fetch-all-pages.ts'
import { refetch } from '../../../cache/patch-query.ts'
import { cachedChannel } from './channel-cache.ts'

const members = (channelId: string) => ['channel', channelId, 'members'] as const

/** The members of a channel whose username matches, ordered by username, page by page. */
export const memberSearch = (channelId: string, sought: string) =>
  infiniteQueryOptions({
    queryKey: [...members(channelId), 'like', sought] as const,
    queryFn: ({ pageParam: page }) =>
      call(listMembers, { params: { channelId }, query: { page, ...(sought && { query: sought }) } }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { hasMore, page } }) => (hasMore ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The ids of all members. */
export const memberIds = (channelId: string) =>
  queryOptions({
    queryKey: [...members(channelId), 'ids'] as const,
    queryFn: async ({ client }) => {
      const limit = limits.page.max
      const count = cachedChannel(client, channelId)?._count.members ?? 0
      const pages = await fetchAllPages(
        (page) => call(listMembers, { params: { channelId }, query: { page, limit } }),
        () => Math.ceil(count / limit),
      )
      return new Set(pages.flatMap(({ members }) => members.map(({ id }) => id)))
    },
    staleTime: 0,
  })

/** Refetches the members when their number changes. */
export function useFreshMembers({ id, _count }: Channel) {
  const client = useQueryClient()
  const previousCount = useRef(_count.members)
  useEffect(() => {
    if (previousCount.current === _count.members) return
    previousCount.current = _count.members
    void refetch(client, { queryKey: members(id) })
  }, [client, id, _count.members])
}
