import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '#contract/channels'
import { inviteToChannel } from '#contract/members'
import type { Profile } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { UserPicker } from '../../../people/user-picker.tsx'
import { putChannel } from '../cache/channel-cache.ts'
import { memberIds, useFreshMembers } from '../cache/member-queries.ts'
import { AddGroup } from './add-group.tsx'
import { PickerDialog } from './picker-dialog.tsx'

/** Each invitation is a separate request. */
const MAX_INVITED = 20

/** Adds members to a channel. After a failure, those not invited yet stay chosen. */
export default function InviteDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Profile[]>([])
  useFreshMembers(channel)
  const { data: members, error: membersError } = useQuery(memberIds(channel.id))
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      for (const { id: userId } of chosen) {
        putChannel(client, await call(inviteToChannel, { params: { channelId: channel.id }, body: { userId } }))
        setChosen((rest) => rest.filter(({ id }) => id !== userId))
      }
    },
    onSuccess: onClose,
    onError: (failure) => console.error('Failed to invite user:', failure),
  })

  return (
    <PickerDialog
      title={t('channels.inviting.title')}
      action={t('channels.inviting.action')}
      canAct={chosen.length > 0 && !isPending}
      onAct={mutate}
      problem={error && failureText(t('channels.inviting.failed'), error)}
      onClose={onClose}
    >
      <AddGroup channel={channel} onDone={onClose} />
      {/* If the members could not be loaded, the server refuses those who are members already. */}
      <UserPicker
        without={members ?? (membersError ? new Set() : undefined)}
        chosen={chosen}
        onChoose={setChosen}
        maxChosen={MAX_INVITED}
      />
    </PickerDialog>
  )
}
