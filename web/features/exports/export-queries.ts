import { queryOptions } from '@tanstack/react-query'
import { listExports } from '#contract/exports'
import { call } from '../../api-client/api.ts'

const RUNNING_INTERVAL_MS = 1500

/** My exports, newest first; refetched while one is being written. */
export const myExports = queryOptions({
  queryKey: ['exports'] as const,
  queryFn: () => call(listExports, {}),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isLive) ? RUNNING_INTERVAL_MS : false),
})

export const isLive = ({ state }: { state: string }) => state === 'queued' || state === 'running'
