import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { demandSecondFactor } from '#contract/second-factor-demand'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { shortDate } from '../../../ui/format/short-date.ts'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { RadioGroup } from '../../../ui/input/radio-group.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { secondFactorDemand } from './factor-queries.ts'

/** Whether everybody needs a second factor; the owner decides. */
export function SecondFactorDemand() {
  const me = useMe()
  const client = useQueryClient()
  const { data, error: loadError, refetch } = useQuery(secondFactorDemand)
  const [isAsking, setAsking] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: { isDemanded: boolean; graceDays?: number }) => call(demandSecondFactor, { body }),
    onError: (failure) => console.error('Failed to change the demand for a second factor:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: secondFactorDemand.queryKey }),
  })
  useEffect(() => {
    if (loadError) console.error('Failed to load the demand for a second factor:', loadError)
  }, [loadError])
  if (!data && loadError) return <LoadError text={t('demand.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  const { isDemanded, startsAt, without } = data
  const state = t('demand.without', { count: without })
  // Not disabled while a request is pending, because that would lose the focus.
  function change(isWanted: boolean) {
    if (isPending) return
    if (isWanted) setAsking(true)
    else mutate({ isDemanded: false })
  }
  return (
    <>
      <Checkbox
        label={t('demand.label')}
        hint={startsAt ? `${t('demand.startsAt', { date: shortDate(startsAt) })} ${state}` : state}
        checked={isDemanded || startsAt !== null}
        disabled={me.role !== 'owner'}
        onChange={({ target }) => change(target.checked)}
      />
      {error && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {failureText(t('demand.failed'), error)}
        </p>
      )}
      {isAsking && (
        <DemandQuestion
          without={without}
          onConfirm={(graceDays) => {
            mutate({ isDemanded: true, graceDays })
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

const graces = { now: 0, week: 7, month: 30 } as const
type Grace = keyof typeof graces

interface QuestionProps {
  /** How many people have none. */
  without: number
  onConfirm: (graceDays: number) => void
  onClose: () => void
}

/** Asks when everybody needs a second factor. */
function DemandQuestion({ without, onConfirm, onClose }: QuestionProps) {
  const [grace, setGrace] = useState<Grace>(without > 0 ? 'week' : 'now')
  const days = without > 0 ? graces[grace] : 0
  const inDays = (count: number) => ({ name: t('demand.inDays', { days: count }) })
  return (
    <ConfirmDialog
      title={t('demand.askTitle')}
      action={t('demand.ask')}
      variant="pine"
      onConfirm={() => onConfirm(days)}
      onClose={onClose}
    >
      {without > 0 && (
        <div className="mb-4 text-ink">
          <RadioGroup
            legend={t('demand.from')}
            name="demand-from"
            options={{ now: { name: t('demand.now') }, week: inDays(graces.week), month: inDays(graces.month) }}
            value={grace}
            onChoose={setGrace}
          />
        </div>
      )}
      {days > 0 ? t('demand.laterText', { count: without, days }) : t('demand.askText', { count: without })}
    </ConfirmDialog>
  )
}
