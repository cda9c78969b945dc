import { queryOptions, useQuery } from '@tanstack/react-query'
import { countAudience } from '#contract/members'
import { call } from '../../../api-client/api.ts'
import { t } from '../../../i18n/text.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'

const audienceOf = (channelId: string) =>
  queryOptions({
    queryKey: ['audience', channelId] as const,
    queryFn: () => call(countAudience, { params: { channelId } }),
    staleTime: 0,
  })

interface Props {
  channelId: string
  onSend: () => void
  onClose: () => void
}

/** Asks before `@channel` or `@here` notifies many people. Lazy-loaded. */
export default function BroadcastQuestion({ channelId, onSend, onClose }: Props) {
  const { data, error } = useQuery(audienceOf(channelId))
  return (
    <ConfirmDialog
      title={t('messages.broadcast.title')}
      action={t('messages.broadcast.send')}
      variant="pine"
      onConfirm={onSend}
      onClose={onClose}
    >
      <p className="min-h-12">
        {data && t('messages.broadcast.question', { people: data.people, away: data.away })}
        {error && t('messages.broadcast.uncounted')}
      </p>
    </ConfirmDialog>
  )
}
