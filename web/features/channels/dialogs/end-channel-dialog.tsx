import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { deleteChannel } from '#contract/channels'
import { leaveChannel } from '#contract/members'
import { call } from '../../../api-client/api.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { refetchChannel } from '../cache/channel-cache.ts'
import { endChannelKey } from '../cache/end-channel-key.ts'

const endings = {
  leave: {
    title: 'Leave Channel',
    endpoint: leaveChannel,
    failed: 'Failed to leave channel',
    done: (name: string) => `You left #${name}`,
    warning: ({ kind }: Channel) =>
      kind === 'public' ? 'You can rejoin at any time.' : "You'll need an invite from a member to come back.",
  },
  delete: {
    title: 'Delete Channel',
    endpoint: deleteChannel,
    failed: 'Failed to delete channel',
    done: (name: string) => `#${name} was deleted`,
    warning: () => "All its messages will be deleted for everyone. This can't be undone.",
  },
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
  const { title, endpoint, failed, done, warning } = endings[ending]
  const { id, name } = channel
  const { mutate } = useMutation({
    mutationKey: endChannelKey(id),
    mutationFn: () => call(endpoint, { params: { channelId: id } }),
    onSuccess: () => {
      onEnded(id)
      showToast(done(name))
      // The event does the same, but only while there is a connection.
      void refetchChannel(client, id)
    },
    onError: (error) => {
      console.error(`${failed}:`, error)
      showToast(failed)
    },
  })

  function confirm() {
    mutate()
    onClose()
  }

  return (
    <ConfirmDialog title={title} action={title} onConfirm={confirm} onClose={onClose}>
      {ending === 'leave' ? 'Leave' : 'Delete'} <strong className="font-[600] text-ink">#{<bdi>{name}</bdi>}</strong>?{' '}
      {warning(channel)}
    </ConfirmDialog>
  )
}
