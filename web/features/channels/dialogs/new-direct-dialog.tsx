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

/** Opens the conversation with one person or several; the one that is there already, where there is one. */
export default function NewDirectDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<Profile[]>([])
  const [showsAll, setShowsAll] = useState(false)
  const { data: directs } = useQuery(directMessages)
  const known = useMemo(() => directs && partners(directs, me.id), [directs, me.id])
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(openDirectMessage, { body: { userIds: chosen.map(({ id }) => id) } }),
    onSuccess: (channel) => {
      putChannel(client, channel)
      onClose()
      void navigate(paths.channel(channel.id))
    },
    onError: (failure) => console.error('Failed to start conversation:', failure),
  })
  // With a second person it becomes another conversation.
  const leavesOut = chosen.length === 0 && !showsAll

  return (
    <PickerDialog
      title="New Direct Message"
      action="Start conversation"
      canAct={chosen.length > 0 && !isPending}
      onAct={mutate}
      problem={error && problemOf(error)}
      onClose={onClose}
    >
      <UserPicker
        without={leavesOut ? known : nobody}
        chosen={chosen}
        onChoose={setChosen}
        maxChosen={limits.directOthers}
      >
        {leavesOut && known && known.size > 0 && <LeftOut onShow={() => setShowsAll(true)} />}
        {chosen.length >= limits.directOthers && (
          <p className="px-3 py-2 text-faint text-meta">A conversation can have at most eight people, including you.</p>
        )}
      </UserPicker>
    </PickerDialog>
  )
}

const nobody: ReadonlySet<string> = new Set()

/** Those with whom alone I have a conversation. */
const partners = (directs: Channel[], me: string) =>
  new Set(directs.flatMap((it) => (it._count.members === 2 ? othersIn(it, me).map(({ id }) => id) : [])))

function LeftOut({ onShow }: { onShow: () => void }) {
  return (
    <p className="px-3 py-2 text-center text-faint text-meta">
      People you already write with are left out.{' '}
      <button type="button" className="font-[600] text-pine hover:underline" onClick={onShow}>
        Show them
      </button>
    </p>
  )
}

function problemOf(error: Error) {
  const isStranger = 'status' in error && error.status === 401
  return isStranger ? 'User not authenticated' : failureText('Failed to start conversation', error)
}
