import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '#contract/channels'
import { archiveChannel, restoreChannel } from '#contract/managed-channels'
import { call } from '../../../api-client/api.ts'
import { explainFailure } from '../../../api-client/failure-text.ts'
import { rich, t } from '../../../i18n/text.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { refetchChannel } from '../cache/channel-cache.ts'

/** Asks for confirmation before a channel is archived, and so read-only for everyone, or restored. */
export default function ArchiveChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const client = useQueryClient()
  const { id, name } = channel
  // The event may come before the dialog has closed.
  const [isArchived] = useState(channel.archivedAt !== null)
  const { mutate } = useMutation({
    mutationFn: () => call(isArchived ? restoreChannel : archiveChannel, { params: { channelId: id } }),
    onSuccess: () => {
      showToast(isArchived ? t('channels.archive.restored', { name }) : t('channels.archive.done', { name }))
      void refetchChannel(client, id)
    },
    onError: (error) => {
      console.error('Failed to archive or restore channel:', error)
      showToast(explainFailure(isArchived ? t('channels.archive.restoreFailed') : t('channels.archive.failed'), error))
    },
  })

  function confirm() {
    mutate()
    onClose()
  }

  return (
    <ConfirmDialog
      title={isArchived ? t('channels.archive.restoreTitle') : t('channels.archive.title')}
      action={isArchived ? t('channels.archive.restore') : t('channels.archive.archive')}
      variant="pine"
      onConfirm={confirm}
      onClose={onClose}
    >
      {rich(isArchived ? 'channels.archive.restoreQuestion' : 'channels.archive.question', {
        b: (part) => <strong className="font-[600] text-ink">{part}</strong>,
        name: <bdi>{name}</bdi>,
      })}
    </ConfirmDialog>
  )
}
