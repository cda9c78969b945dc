import { queryOptions } from '@tanstack/react-query'
import { getHandover } from '#contract/handover'
import { call } from '../../../api-client/api.ts'

/** The open request to take over the workspace, if it is mine or asks me. */
export const openHandover = queryOptions({
  queryKey: ['handover'] as const,
  queryFn: async () => (await call(getHandover, {})).handover,
  staleTime: 0,
})
