import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listScheduled, type ScheduledMessage } from '#contract/scheduled-messages'
import { call } from '../../../api-client/api.ts'
import { invalidate } from '../../../cache/patch-query.ts'

/** My scheduled messages, the next first, with those that could not be sent. */
export const myScheduled = queryOptions({
  queryKey: ['scheduled'] as const,
  queryFn: () => call(listScheduled, {}),
})

export const refetchScheduled = (client: QueryClient) => invalidate(client, { queryKey: myScheduled.queryKey })

/** The list with a message that was scheduled or changed. */
export const withScheduled = (items: ScheduledMessage[], item: ScheduledMessage): ScheduledMessage[] =>
  [...items.filter(({ id }) => id !== item.id), item].sort((a, b) => Date.parse(a.sendAt) - Date.parse(b.sendAt))
