import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { withdrawHandover } from '#contract/handover'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { rich, t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { shortDate } from '../../../ui/format/short-date.ts'
import { Button } from '../../../ui/input/button.tsx'
import { openHandover } from './handover-queries.ts'

/** Shows whom I have asked to take over the workspace. */
export function HandoverState() {
  const me = useMe()
  const client = useQueryClient()
  const { data: open } = useQuery({ ...openHandover, enabled: me.role === 'owner' })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(withdrawHandover, {}),
    onError: (failure) => console.error('Failed to withdraw the handover:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: openHandover.queryKey }),
  })
  if (open?.from.id !== me.id) return null
  return (
    <div role="status" className="mb-3 flex flex-wrap items-center gap-3 rounded-m bg-pine-wash px-3 py-2.5 text-ui">
      <p className="min-w-0 flex-1 basis-60 text-pretty">
        {rich('handover.open', {
          name: <bdi className="font-[600]">{open.to.name}</bdi>,
          date: shortDate(open.expiresAt),
        })}
      </p>
      <Button variant="line" className="pointer-coarse:h-11" isBusy={isPending} onClick={() => mutate()}>
        {t('handover.withdraw')}
      </Button>
      {error && (
        <p role="alert" className="basis-full text-danger text-meta">
          {failureText(t('handover.failed'), error)}
        </p>
      )}
    </div>
  )
}
