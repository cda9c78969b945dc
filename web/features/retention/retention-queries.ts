import { queryOptions } from '@tanstack/react-query'
import { getRetention } from '#contract/retention'
import { call } from '../../api-client/api.ts'

/** How long messages are kept, and what is held. */
export const retentionRules = queryOptions({
  queryKey: ['retention'] as const,
  queryFn: () => call(getRetention, {}),
  staleTime: 0,
})
