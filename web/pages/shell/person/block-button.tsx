import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { blockPerson, listBlocks, unblockPerson } from '#contract/moderation'
import { call } from '../../../api-client/api.ts'
import { explainFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'

const myBlocks = queryOptions({ queryKey: ['blocks'] as const, queryFn: () => call(listBlocks, {}) })

/** Blocks direct messages from a person, or allows them again. */
export function BlockButton({ userId }: { userId: string }) {
  const client = useQueryClient()
  const { data: blocked } = useQuery(myBlocks)
  const isBlocked = blocked?.some(({ id }) => id === userId) ?? false
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(isBlocked ? unblockPerson : blockPerson, { params: { userId } }),
    onError: (error) => {
      console.error('Failed to block or unblock:', error)
      showToast(explainFailure(t('people.block.failed'), error))
    },
    onSettled: () => client.invalidateQueries({ queryKey: myBlocks.queryKey }),
  })
  if (!blocked) return <span className="mt-3 block h-6" />
  return (
    <p className="mt-3 text-meta">
      <button
        type="button"
        disabled={isPending}
        onClick={() => mutate()}
        className="min-h-6 rounded-s text-soft hover:text-ink hover:underline pointer-coarse:min-h-11"
      >
        {isBlocked ? t('people.block.allow') : t('people.block.block')}
      </button>
    </p>
  )
}
