import { useMutation, useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fillDemo } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useIdentity } from '../../me.tsx'
import { Button } from '../../ui/input/button.tsx'
import { demoState } from './administration-queries.ts'

/** Fills the workspace with the demo, and then shows it. */
export function FillDemo() {
  const { refreshTabs } = useIdentity()
  const { data, refetch } = useQuery(demoState)
  const [isBegun, setBegun] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await call(fillDemo, {})
      await refetch()
      setBegun(true)
    },
    onError: (failure) => console.error('Failed to add the demo:', failure),
  })
  const state = data?.state
  useEffect(() => {
    if (state === 'filled') void refreshTabs()
  }, [state, refreshTabs])
  const isBusy = isPending || state === 'filling' || state === 'filled'
  const hasFailed = error !== null || (isBegun && state === null)
  return (
    <div>
      <Button variant="line" className="h-10 w-full text-[0.875rem]" isBusy={isBusy} onClick={() => mutate()}>
        <FlaskConical size={16} />
        {isBusy ? t('demo.filling') : t('demo.fill')}
      </Button>
      <p className="mt-1.5 text-pretty text-center text-faint text-meta">{t('demo.fillText')}</p>
      {hasFailed && !isBusy && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {error ? failureText(t('demo.fillFailed'), error) : t('demo.fillFailed')}
        </p>
      )}
    </div>
  )
}
