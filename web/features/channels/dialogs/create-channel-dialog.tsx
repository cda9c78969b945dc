import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Hash } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { createChannel } from '#contract/channels'
import { limits } from '#contract/limits'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
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
  const { text: name, write: setName, forget } = usePersistedText(`${useMe().id} new channel`, '')
  const [isPrivate, setPrivate] = useState(false)
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
      title="Create Channel"
      action={
        <Button type="submit" variant="pine" disabled={isPending || !name.trim()}>
          Create Channel
        </Button>
      }
      onSubmit={submit}
      onCancel={cancel}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 px-6 pt-2 pb-4 max-wide:px-(--gutter)">
        <Field
          label="Name"
          required
          autoFocus
          autoComplete="off"
          maxLength={limits.channelName}
          value={name}
          onChange={({ target }) => setName(target.value)}
          before={<Hash size={16} className="text-soft" />}
          hint="Keep it short, in lowercase. You can change it later."
          error={error ? failureText('Failed to create channel', error) : undefined}
        />
        <Checkbox
          label="Private"
          hint="Only invited people can see it."
          checked={isPrivate}
          onChange={({ target }) => setPrivate(target.checked)}
        />
      </div>
    </Dialog>
  )
}
