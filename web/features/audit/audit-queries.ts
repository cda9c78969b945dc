import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type AuditFilters, getAuditAges, listAudit } from '#contract/audit'
import { call } from '../../api-client/api.ts'

/** While only the newest page is shown, and no older one is being loaded or has failed, it is kept current. */
const REFRESH_INTERVAL_MS = 10_000

/** The audit log, newest first. */
export const auditPages = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(listAudit, { query: { ...filters, ...(cursor && { cursor }) } }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data, fetchMeta } }) =>
      data?.pages.length === 1 && !fetchMeta?.fetchMore ? REFRESH_INTERVAL_MS : false,
  })

/** How long lines, and the addresses in them, are kept. */
export const auditAges = queryOptions({
  queryKey: ['audit-ages'] as const,
  queryFn: () => call(getAuditAges, {}),
  staleTime: 0,
})
