import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Channel, openDirectMessage } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Profile } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
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
  const { data: directs, error: directsError } = useQuery(directMessages)
  const existing = useMemo(() => directs && conversationsForTwo(directs, me.id), [directs, me.id])
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(openDirectMessage, { body: { userIds: chosen.map(({ id }) => id) } }),
    onSuccess: (channel) => {
      putChannel(client, channel)
      go(channel.id)
    },
    onError: (failure) => console.error('Failed to start conversation:', failure),
  })

  function go(channelId: string) {
    onClose()
    void navigate(paths.channel(channelId))
  }

  /** Opens the existing conversation with a single person without asking the server. */
  function start() {
    const [first, another] = chosen
    const known = first && !another && existing?.get(first.id)
    if (known) go(known)
    else mutate()
  }

  return (
    <PickerDialog
      title={t('channels.newDirect.title')}
      action={actionFor(chosen)}
      canAct={chosen.length > 0 && !isPending}
      onAct={start}
      problem={error && problemText(error)}
      onClose={onClose}
    >
      <UserPicker
        // Without the list of conversations everyone is offered, and the server finds an existing one.
        without={existing || directsError ? NOBODY : undefined}
        lastGroup={existing && { title: t('channels.newDirect.known'), ids: existing }}
        hint={t('channels.newDirect.hint')}
        chosen={chosen}
        onChoose={setChosen}
        maxChosen={limits.directOthers}
      >
        {chosen.length >= limits.directOthers && (
          <p className="px-3 py-2 text-faint text-meta">{t('channels.newDirect.limit')}</p>
        )}
      </UserPicker>
    </PickerDialog>
  )
}

const NOBODY: ReadonlySet<string> = new Set()

/** My conversations for two, by the id of the other person. */
const conversationsForTwo = (directs: Channel[], me: string) =>
  new Map(
    directs.flatMap((direct) =>
      direct._count.members === 2 ? othersIn(direct, me).map(({ id }) => [id, direct.id] as const) : [],
    ),
  )

function actionFor([one, another]: Profile[]) {
  if (another) return t('channels.newDirect.startGroup')
  return one
    ? t('channels.newDirect.messageTo', { name: one.name.split(' ', 1)[0] ?? '' })
    : t('channels.newDirect.message')
}

function problemText(error: Error) {
  const isSignedOut = 'status' in error && error.status === 401
  return isSignedOut ? t('channels.signedOut') : failureText(t('channels.newDirect.failed'), error)
}
