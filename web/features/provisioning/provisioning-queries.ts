import { queryOptions } from '@tanstack/react-query'
import { listProvisioningTokens } from '#contract/provisioning'
import { call } from '../../api-client/api.ts'

/** The valid tokens of directories. */
export const provisioningTokens = queryOptions({
  queryKey: ['provisioning-tokens'],
  queryFn: () => call(listProvisioningTokens, {}),
})
