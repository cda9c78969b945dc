import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { demandSecondFactor } from '#contract/second-factor-demand'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { secondFactorDemand } from './factor-queries.ts'

/** Whether everybody needs a second factor; the owner decides. */
export function SecondFactorDemand() {
  const me = useMe()
  const client = useQueryClient()
  const { data, error: loadError, refetch } = useQuery(secondFactorDemand)
  const [isAsking, setAsking] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (isDemanded: boolean) => call(demandSecondFactor, { body: { isDemanded } }),
    onError: (failure) => console.error('Failed to change the demand for a second factor:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: secondFactorDemand.queryKey }),
  })
  useEffect(() => {
    if (loadError) console.error('Failed to load the demand for a second factor:', loadError)
  }, [loadError])
  if (!data && loadError) return <LoadError text={t('demand.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  const { isDemanded, without } = data
  return (
    <>
      <Checkbox
        label={t('demand.label')}
        hint={t('demand.without', { count: without })}
        checked={isDemanded}
        disabled={me.role !== 'owner' || isPending}
        onChange={() => (isDemanded ? mutate(false) : setAsking(true))}
      />
      {error && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {failureText(t('demand.failed'), error)}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('demand.askTitle')}
          action={t('demand.ask')}
          variant="pine"
          onConfirm={() => {
            mutate(true)
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        >
          {t('demand.askText', { count: without })}
        </ConfirmDialog>
      )}
    </>
  )
}
