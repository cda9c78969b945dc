import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Channel, updateChannel } from '#contract/channels'
import { removeMember } from '#contract/members'
import type { Profile } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import ConfirmDialog from '../../../ui/dialog/confirm-dialog.tsx'
import { putChannel } from '../cache/channel-cache.ts'

export interface MemberChange {
  kind: 'remove' | 'promote'
  person: Profile
}

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
  const title = isRemoval ? 'Remove Member' : 'Transfer Ownership'
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
      const text = isRemoval ? 'Failed to remove member' : 'Failed to transfer ownership'
      console.error(`${text}:`, error)
      onDone(failureText(text, error))
    },
  })

  function confirm() {
    mutate()
    onClose()
  }

  const names = [<bdi key="person">{person.name}</bdi>, <bdi key="channel">{channel.name}</bdi>]
  return (
    <ConfirmDialog title={title} action={title} onConfirm={confirm} onClose={onClose}>
      {isRemoval ? (
        <>
          Are you sure you want to remove {names[0]} from #{names[1]}?
        </>
      ) : (
        <>
          Make {names[0]} the owner of #{names[1]}? You'll no longer be able to manage it.
        </>
      )}
    </ConfirmDialog>
  )
}
