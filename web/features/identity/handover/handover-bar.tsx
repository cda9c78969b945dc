import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Crown } from 'lucide-react'
import { useState } from 'react'
import { answerHandover } from '#contract/handover'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { rich, t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { openHandover } from './handover-queries.ts'

/** Shown while the owner asks me to take over the workspace. Lazy-loaded. */
export default function HandoverBar() {
  const me = useMe()
  const client = useQueryClient()
  const { data: open } = useQuery(openHandover)
  const [isAccepting, setAccepting] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (accepts: boolean) => call(answerHandover, { body: { accepts } }),
    onError: (failure) => console.error('Failed to answer the handover:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: openHandover.queryKey }),
  })
  if (open?.to.id !== me.id) return null
  return (
    <div
      role="status"
      className="flex min-h-10 flex-wrap items-center gap-2 border-line border-b bg-sunk px-(--gutter) py-1.5 text-ui"
    >
      <Crown size={16} className="flex-none text-pine" />
      <p className="min-w-0 flex-1 basis-52 text-pretty">
        {rich('handover.asked', { name: <bdi className="font-[600]">{open.from.name}</bdi> })}
        {error && <span className="block text-danger text-meta">{failureText(t('handover.failed'), error)}</span>}
      </p>
      <Button className="pointer-coarse:h-11" isBusy={isPending} onClick={() => mutate(false)}>
        {t('handover.decline')}
      </Button>
      <Button variant="line" className="pointer-coarse:h-11" isBusy={isPending} onClick={() => setAccepting(true)}>
        {t('handover.accept')}
      </Button>
      {isAccepting && (
        <ConfirmDialog
          title={t('handover.acceptTitle')}
          action={t('handover.accept')}
          variant="pine"
          onConfirm={() => {
            mutate(true)
            setAccepting(false)
          }}
          onClose={() => setAccepting(false)}
        >
          {rich('handover.acceptText', { name: <bdi>{open.from.name}</bdi> })}
        </ConfirmDialog>
      )}
    </div>
  )
}
