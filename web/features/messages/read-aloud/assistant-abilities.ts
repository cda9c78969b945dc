import { queryOptions } from '@tanstack/react-query'
import { getAssistant } from '#contract/assistant'
import { call } from '../../../api-client/api.ts'

/** Whether the server has a language model and a voice; this changes only when it restarts. */
export const assistantAbilities = queryOptions({
  queryKey: ['assistant'] as const,
  queryFn: () => call(getAssistant, {}),
  staleTime: Number.POSITIVE_INFINITY,
})
