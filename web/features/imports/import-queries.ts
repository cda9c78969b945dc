import { queryOptions } from '@tanstack/react-query'
import { type Import, listImports, listUnclaimed, readUndoLosses } from '#contract/imports'
import { call } from '../../api-client/api.ts'

const RUNNING_INTERVAL_MS = 1500

/** Imports, newest first; refetched while one is working. */
export const imports = queryOptions({
  queryKey: ['imports'] as const,
  queryFn: () => call(listImports, {}),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isWorking) ? RUNNING_INTERVAL_MS : false),
})

export const unclaimed = queryOptions({
  queryKey: ['imports', 'people'] as const,
  queryFn: () => call(listUnclaimed, {}),
  staleTime: 0,
})

/** What people would lose by undoing an import. */
export const undoLosses = (importId: string) =>
  queryOptions({
    queryKey: ['imports', 'undo-losses', importId] as const,
    queryFn: () => call(readUndoLosses, { params: { importId } }),
    staleTime: 0,
    // People go on writing: an old count would mislead.
    gcTime: 0,
  })

export const isWorking = ({ state }: Import) => state === 'reading' || state === 'running' || state === 'undoing'
export const isClosed = ({ state }: Import) => state === 'accepted' || state === 'undone' || state === 'cancelled'
