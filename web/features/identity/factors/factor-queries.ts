import { queryOptions } from '@tanstack/react-query'
import { listPasskeys } from '#contract/passkeys'
import { getSecondFactorDemand } from '#contract/second-factor-demand'
import { getTwoFactor } from '#contract/two-factor'
import { call } from '../../../api-client/api.ts'

export const myTwoFactor = queryOptions({
  queryKey: ['two-factor'] as const,
  queryFn: () => call(getTwoFactor, {}),
  staleTime: 0,
})

export const myPasskeys = queryOptions({
  queryKey: ['passkeys'] as const,
  queryFn: () => call(listPasskeys, {}),
  staleTime: 0,
})

export const secondFactorDemand = queryOptions({
  queryKey: ['second-factor-demand'] as const,
  queryFn: () => call(getSecondFactorDemand, {}),
  staleTime: 0,
})
