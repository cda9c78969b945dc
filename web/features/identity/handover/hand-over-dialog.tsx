import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { offerWorkspace } from '#contract/handover'
import type { Account } from '#contract/workspace'
import { call } from '../../../api-client/api.ts'
import { rich, t } from '../../../i18n/text.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { ConfirmForm } from '../factors/confirm-form.tsx'
import { myPassword } from '../identity-queries.ts'
import { openHandover } from './handover-queries.ts'

/** Asks somebody to become the owner. */
export function HandOverDialog({ person, onClose }: { person: Account; onClose: () => void }) {
  const client = useQueryClient()
  const { data: own } = useQuery(myPassword)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) =>
      call(offerWorkspace, { body: { userId: person.id, ...(password && { password }) } }),
    onSuccess: onClose,
    onError: (failure) => console.error('Failed to hand over the workspace:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: openHandover.queryKey }),
  })
  return (
    <Dialog title={t('handover.title')} onClose={onClose}>
      <div className="px-6 pt-1 pb-5">
        {own ? (
          <ConfirmForm
            text={rich('handover.text', { name: <bdi className="font-[600] text-ink">{person.name}</bdi> })}
            action={t('handover.ask')}
            hasPassword={own.isSet}
            isBusy={isPending}
            error={error}
            failed={t('handover.failed')}
            onConfirm={mutate}
            onCancel={onClose}
          />
        ) : (
          <SkeletonRows />
        )}
      </div>
    </Dialog>
  )
}
