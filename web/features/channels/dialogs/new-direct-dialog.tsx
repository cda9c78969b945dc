import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Channel, openDirectMessage } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Profile } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'
import { UserPicker } from '../../../people/user-picker.tsx'
import { putChannel } from '../cache/channel-cache.ts'
import { directMessages } from '../cache/channel-queries.ts'
import { othersIn } from '../cache/channel-title.ts'
import { PickerDialog } from './picker-dialog.tsx'

/** Opens a conversation with one or more people: the existing one, or a new one. */
export default function NewDirectDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<Profile[]>([])
  const [isShowingAll, setShowingAll] = useState(false)
  const { data: directs } = useQuery(directMessages)
  const existing = useMemo(() => directs && partners(directs, me.id), [directs, me.id])
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(openDirectMessage, { body: { userIds: chosen.map(({ id }) => id) } }),
    onSuccess: (channel) => {
      putChannel(client, channel)
      onClose()
      void navigate(paths.channel(channel.id))
    },
    onError: (failure) => console.error('Failed to start conversation:', failure),
  })
  // Existing partners can still be picked for a group.
  const isFiltered = chosen.length === 0 && !isShowingAll

  return (
    <PickerDialog
      title="New Direct Message"
      action="Start conversation"
      canAct={chosen.length > 0 && !isPending}
      onAct={mutate}
      problem={error && problemText(error)}
      onClose={onClose}
    >
      <UserPicker
        without={isFiltered ? existing : NOBODY}
        chosen={chosen}
        onChoose={setChosen}
        maxChosen={limits.directOthers}
      >
        {isFiltered && existing && existing.size > 0 && <HiddenNote onShow={() => setShowingAll(true)} />}
        {chosen.length >= limits.directOthers && (
          <p className="px-3 py-2 text-faint text-meta">A conversation can have at most eight people, including you.</p>
        )}
      </UserPicker>
    </PickerDialog>
  )
}

const NOBODY: ReadonlySet<string> = new Set()

/** The people with whom I have a conversation for two. */
const partners = (directs: Channel[], me: string) =>
  new Set(directs.flatMap((direct) => (direct._count.members === 2 ? othersIn(direct, me).map(({ id }) => id) : [])))

function HiddenNote({ onShow }: { onShow: () => void }) {
  return (
    <p className="px-3 py-2 text-center text-faint text-meta">
      People you already write with are left out.{' '}
      <button type="button" className="font-[600] text-pine hover:underline" onClick={onShow}>
        Show them
      </button>
    </p>
  )
}

function problemText(error: Error) {
  const isSignedOut = 'status' in error && error.status === 401
  return isSignedOut ? 'User not authenticated' : failureText('Failed to start conversation', error)
}
