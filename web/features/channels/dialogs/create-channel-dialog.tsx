import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Hash } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { can } from '#contract/can'
import { createChannel } from '#contract/channels'
import { limits } from '#contract/limits'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { paths } from '../../../paths.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { Field } from '../../../ui/input/field.tsx'
import { usePersistedText } from '../../../ui/input/persisted-text.ts'
import { putChannel } from '../cache/channel-cache.ts'

/** Creates a channel. The input is kept until the server has accepted it. */
export default function CreateChannelDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const me = useMe()
  const { text: name, write: setName, forget } = usePersistedText(`${me.id} new channel`, '')
  const mayChoose = can.createChannel(me, false) && can.createChannel(me, true)
  const [isPrivate, setPrivate] = useState(!can.createChannel(me, false))
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(createChannel, { body: { name, isPrivate } }),
    onSuccess: (channel) => {
      forget()
      putChannel(client, channel)
      onClose()
      void navigate(paths.channel(channel.id))
    },
    onError: (failure) => console.error('Failed to create channel:', failure),
  })

  function cancel() {
    forget()
    onClose()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (name.trim() && !isPending) mutate()
  }

  return (
    <Dialog
      title={t('channels.create.title')}
      action={
        <Button type="submit" variant="pine" disabled={isPending || !name.trim()}>
          {t('channels.create.action')}
        </Button>
      }
      onSubmit={submit}
      onCancel={cancel}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 px-6 pt-2 pb-4 max-wide:px-(--gutter)">
        <Field
          label={t('channels.name')}
          required
          autoFocus
          autoComplete="off"
          maxLength={limits.channelName}
          value={name}
          onChange={({ target }) => setName(target.value)}
          before={<Hash size={16} className="text-soft" />}
          hint={t('channels.create.nameHint')}
          error={error ? failureText(t('channels.create.failed'), error) : undefined}
        />
        <Checkbox
          label={t('channels.private')}
          hint={t('channels.onlyInvited')}
          checked={isPrivate}
          disabled={!mayChoose}
          onChange={({ target }) => setPrivate(target.checked)}
        />
      </div>
    </Dialog>
  )
}
