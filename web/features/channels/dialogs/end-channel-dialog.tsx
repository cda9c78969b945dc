import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { deleteChannel } from '#contract/channels'
import { leaveChannel } from '#contract/members'
import { call } from '../../../api-client/api.ts'
import { rich, t } from '../../../i18n/text.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { patchChannel, refetchChannel } from '../cache/channel-cache.ts'
import { endChannelKey } from '../cache/end-channel-key.ts'

const endings = {
  leave: {
    endpoint: leaveChannel,
    title: 'channels.leaving.title',
    action: 'channels.leaving.action',
    done: 'channels.leaving.done',
    failed: 'channels.leaving.failed',
  },
  delete: {
    endpoint: deleteChannel,
    title: 'channels.deleting.title',
    action: 'channels.deleting.action',
    done: 'channels.deleting.done',
    failed: 'channels.deleting.failed',
  },
} as const

function questionId(ending: keyof typeof endings, { kind }: Channel) {
  if (ending === 'delete') return 'channels.deleting.question'
  return kind === 'public' ? 'channels.leaving.questionPublic' : 'channels.leaving.question'
}

interface Props {
  channel: Channel
  ending: keyof typeof endings
  onClose: () => void
  /** Called when the channel has ended for me. */
  onEnded: (channelId: string) => void
}

/** Asks for confirmation before I leave a channel, or delete it for everyone. */
export default function EndChannelDialog({ channel, ending, onClose, onEnded }: Props) {
  const client = useQueryClient()
  const { endpoint, title, action, done, failed } = endings[ending]
  const { id, name, kind } = channel
  const { mutate } = useMutation({
    mutationKey: endChannelKey(id),
    mutationFn: () => call(endpoint, { params: { channelId: id } }),
    onSuccess: () => {
      onEnded(id)
      showToast(t(done, { name }))
      // Until it is refetched, a public channel opens with an offer to join, instead of ending again.
      if (ending === 'leave' && kind === 'public') patchChannel(client, id, (held) => ({ ...held, isMember: false }))
      // The event does the same, but only while there is a connection.
      void refetchChannel(client, id)
    },
    onError: (error) => {
      console.error(`Failed to ${ending} channel:`, error)
      showToast(t(failed))
    },
  })

  function confirm() {
    mutate()
    onClose()
  }

  return (
    <ConfirmDialog title={t(title)} action={t(action)} onConfirm={confirm} onClose={onClose}>
      {rich(questionId(ending, channel), {
        b: (part) => <strong className="font-[600] text-ink">{part}</strong>,
        name: <bdi>{name}</bdi>,
      })}
    </ConfirmDialog>
  )
}
