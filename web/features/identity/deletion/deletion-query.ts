import { queryOptions } from '@tanstack/react-query'
import { getDeletion } from '#contract/account'
import { call } from '../../../api-client/api.ts'

/** Whether I can delete my account, and otherwise why not. */
export const myDeletion = queryOptions({
  queryKey: ['deletion'] as const,
  queryFn: () => call(getDeletion, {}),
  staleTime: 0,
})
