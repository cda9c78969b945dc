import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Channel, updateChannel } from '#contract/channels'
import { removeMember } from '#contract/members'
import type { Profile } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { rich, t } from '../../../i18n/text.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { putChannel } from '../cache/channel-cache.ts'

export interface MemberChange {
  kind: 'remove' | 'promote'
  person: Profile
}

const changes = {
  remove: {
    title: 'channels.removing.title',
    action: 'channels.removing.action',
    question: 'channels.removing.question',
    failed: 'channels.removing.failed',
  },
  promote: {
    title: 'channels.promoting.title',
    action: 'channels.promoting.action',
    question: 'channels.promoting.question',
    failed: 'channels.promoting.failed',
  },
} as const

interface Props {
  channel: Channel
  change: MemberChange
  onClose: () => void
  /** Called with a sentence if the change failed. */
  onDone: (problem?: string) => void
}

/** Asks for confirmation before a member is removed, or becomes the owner. */
export function MemberChangeDialog({ channel, change: { kind, person }, onClose, onDone }: Props) {
  const client = useQueryClient()
  const params = { channelId: channel.id }
  const isRemoval = kind === 'remove'
  const { title, action, question, failed } = changes[kind]
  const { mutate } = useMutation({
    mutationFn: () =>
      isRemoval
        ? call(removeMember, { params, body: { userId: person.id } })
        : call(updateChannel, { params, body: { ownerId: person.id } }),
    onSuccess: (updated) => {
      putChannel(client, updated)
      onDone()
    },
    onError: (error) => {
      console.error(isRemoval ? 'Failed to remove member:' : 'Failed to transfer ownership:', error)
      onDone(failureText(t(failed), error))
    },
  })

  function confirm() {
    mutate()
    onClose()
  }

  return (
    <ConfirmDialog title={t(title)} action={t(action)} onConfirm={confirm} onClose={onClose}>
      {rich(question, { person: <bdi>{person.name}</bdi>, channel: <bdi>{channel.name}</bdi> })}
    </ConfirmDialog>
  )
}
