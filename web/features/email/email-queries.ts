import { queryOptions } from '@tanstack/react-query'
import { getEmail } from '#contract/email'
import { call } from '../../api-client/api.ts'

export const myEmail = queryOptions({
  queryKey: ['email'] as const,
  queryFn: () => call(getEmail, {}),
  staleTime: 0,
})
