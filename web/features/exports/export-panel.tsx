import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CallOf } from '#contract/endpoint'
import { createExport, deleteExport, type Export, type ExportScope } from '#contract/exports'
import { limits } from '#contract/limits'
import { call, isRefusal } from '../../api-client/api.ts'
import { reasonText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { SearchSelect } from '../../ui/input/search-select.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { isLive, myExports } from './export-queries.ts'
import { ExportRow } from './export-row.tsx'

interface Props {
  scope: Exclude<ExportScope, 'channel'>
  /** Channels that can be exported individually. */
  channels?: readonly { id: string; name: string }[]
}

/** The value of the choice for everything in the scope. */
const ALL = 'all'

/** Starts and deletes exports. */
function useExportChanges() {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: myExports.queryKey })
  const creation = useMutation({
    mutationFn: (body: CallOf<typeof createExport>['body']) => call(createExport, { body }),
    onError: (problem) => console.error('Failed to start export:', problem),
    onSettled,
  })
  const deletion = useMutation({
    mutationFn: ({ id }: Export) => call(deleteExport, { params: { exportId: id } }),
    onError: (problem) => console.error('Failed to delete export:', problem),
    onSettled,
  })
  return { creation, deletion }
}

/** Starts an export, and lists the existing archives. */
export function ExportPanel({ scope, channels = [] }: Props) {
  const [chosen, setChosen] = useState(ALL)
  const { data: exports, error, refetch } = useQuery(myExports)
  useEffect(() => {
    if (error) console.error('Failed to load exports:', error)
  }, [error])
  const { creation, deletion } = useExportChanges()
  const failure = creation.error ?? deletion.error
  const everything = scope === 'workspace' ? t('exports.everything') : t('exports.mine')
  return (
    <>
      <p className="mb-3 max-w-prose text-pretty text-soft text-ui">
        {scope === 'workspace' ? t('exports.workspaceHint') : t('exports.mineHint')}
      </p>
      {channels.length > 0 && (
        <div className="mb-3 max-w-sm">
          <SearchSelect
            label={t('exports.what')}
            options={[
              { value: ALL, name: everything },
              ...channels.map(({ id, name }) => ({ value: id, name: `#${name}` })),
            ]}
            value={chosen}
            onChange={setChosen}
          />
        </div>
      )}
      <Button
        variant="pine"
        isBusy={creation.isPending || exports?.some(isLive) === true}
        onClick={() => creation.mutate(chosen === ALL ? { scope } : { scope: 'channel', channelId: chosen })}
      >
        {t('exports.start')}
      </Button>
      {failure && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {(isRefusal(failure) && reasonText(failure)) || t('exports.failed')}
        </p>
      )}
      {!exports && error && <LoadError text={t('exports.loadFailed')} retry={() => void refetch()} />}
      {!exports && !error && <SkeletonRows />}
      {exports && exports.length > 0 && (
        <>
          <ul aria-label={t('exports.title')} className="mt-5 max-w-2xl">
            {exports.map((each) => (
              <ExportRow key={each.id} item={each} onDelete={() => deletion.mutate(each)} />
            ))}
          </ul>
          <p className="mt-2 text-faint text-meta">
            {t('exports.kept', { hours: limits.exports.hours, count: limits.exports.kept })}
          </p>
        </>
      )}
    </>
  )
}
