import { queryOptions } from '@tanstack/react-query'
import { type Export, listExports } from '#contract/exports'
import { call } from '../../api-client/api.ts'
import { t } from '../../i18n/text.ts'

const RUNNING_INTERVAL_MS = 1500

/** My exports, newest first; refetched while one is being written. */
export const myExports = queryOptions({
  queryKey: ['exports'] as const,
  queryFn: () => call(listExports, {}),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isLive) ? RUNNING_INTERVAL_MS : false),
})

export const isLive = ({ state }: { state: string }) => state === 'queued' || state === 'running'

export function exportName({ scope, channel }: Pick<Export, 'scope' | 'channel'>) {
  if (scope === 'workspace') return t('exports.everything')
  if (scope === 'mine') return t('exports.mine')
  return channel ? `#${channel.name}` : t('exports.aChannel')
}

/** The URL of an archive, and the name of the file. */
export const archiveOf = ({ id, createdAt }: Pick<Export, 'id' | 'createdAt'>) => ({
  url: `/api/exports/${id}/archive`,
  name: `parley-${createdAt.slice(0, 10)}.zip`,
})
