import { infiniteQueryOptions } from '@tanstack/react-query'
import { listVersions } from '#contract/message-versions'
import type { Message } from '#contract/messages'
import { call } from '../../../api-client/api.ts'

/** The texts that a message has had, newest first. Each edit makes it another query. */
export const versionPages = ({ id, channelId, editedAt }: Message) =>
  infiniteQueryOptions({
    queryKey: ['channel', channelId, 'versions', id, editedAt] as const,
    queryFn: ({ pageParam }) =>
      call(listVersions, { params: { messageId: id }, query: pageParam === null ? {} : { before: pageParam } }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
