import { queryOptions } from '@tanstack/react-query'
import { getAvailability } from '#contract/availability'
import { call } from '../../api-client/api.ts'
import { AVAILABILITY_KEY } from '../../people/user-queries.ts'

/** My own availability. */
export const myAvailability = queryOptions({
  queryKey: AVAILABILITY_KEY,
  queryFn: () => call(getAvailability, {}),
  staleTime: 0,
})
