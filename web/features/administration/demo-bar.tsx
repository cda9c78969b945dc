import { useMutation, useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { can } from '#contract/can'
import { emptyDemo } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useIdentity, useMe } from '../../me.tsx'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { Button } from '../../ui/input/button.tsx'
import { demoState } from './administration-queries.ts'

/** Says that the workspace is a demo; its owner can empty it. Lazy-loaded. */
export default function DemoBar({ onEmptied }: { onEmptied: () => void }) {
  const me = useMe()
  const { refreshTabs } = useIdentity()
  const [isAsking, setAsking] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(emptyDemo, {}),
    onSuccess: () => {
      onEmptied()
      // Leads to the first screen.
      return refreshTabs()
    },
    onError: (failure) => console.error('Failed to empty the demo:', failure),
  })
  return (
    <section
      aria-label={t('demo.banner')}
      className="flex min-h-10 flex-wrap items-center gap-2 border-line border-b bg-sunk px-(--gutter) py-1 text-ui"
    >
      <FlaskConical size={16} className="flex-none text-pine" />
      <p className="min-w-0 flex-1 basis-52 text-pretty text-soft">
        {t('demo.banner')}
        {error && (
          <span role="alert" className="block text-danger text-meta">
            {failureText(t('demo.emptyFailed'), error)}
          </span>
        )}
      </p>
      {can.runDemo(me) && (
        <Button variant="line" className="pointer-coarse:h-11" isBusy={isPending} onClick={() => setAsking(true)}>
          {t('demo.empty')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('demo.emptyTitle')}
          action={t('demo.empty')}
          variant="danger"
          onConfirm={() => {
            mutate()
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        >
          <EmptyingText />
        </ConfirmDialog>
      )}
    </section>
  )
}

/** What is deleted. */
function EmptyingText() {
  const { data } = useQuery(demoState)
  const count = data?.ownMessages ?? 0
  return (
    <>
      {t('demo.emptyText')}
      {count > 0 && <b className="mt-2 block font-[600]">{t('demo.emptyOwn', { count })}</b>}
    </>
  )
}
