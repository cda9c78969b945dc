import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Hash } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { type Channel, type ChannelLevel, channelLevels, updateChannel } from '#contract/channels'
import { limits } from '#contract/limits'
import { call } from '../../../api-client/api.ts'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { Field } from '../../../ui/input/field.tsx'
import { usePersistedText } from '../../../ui/input/persisted-text.ts'
import { Select } from '../../../ui/input/select.tsx'
import { putChannel } from '../cache/channel-cache.ts'

interface Props {
  channel: Channel
  /** Whether the topic has the focus first. */
  startsAtTopic: boolean
  onClose: () => void
}

/** Who may read the channel, write in it, and notify everyone in it; and whether its links get previews. */
type Access = Pick<Channel, 'isPrivate' | 'posting' | 'areRepliesOpen' | 'broadcasting' | 'linkPreviews'>

const accessOf = ({ isPrivate, posting, areRepliesOpen, broadcasting, linkPreviews }: Channel): Access => ({
  isPrivate,
  posting,
  areRepliesOpen,
  broadcasting,
  linkPreviews,
})

/** The dialog's input, and its differences from the channel. */
function useChannelEdit(channel: Channel) {
  const key = `${useMe().id} ${channel.id}`
  const { text: name, write: setName, forget: forgetName } = usePersistedText(`${key} name`, channel.name)
  const { text: topic, write: setTopic, forget: forgetTopic } = usePersistedText(`${key} topic`, channel.topic)
  const [access, setAccess] = useState(() => accessOf(channel))
  const { isPrivate, posting, areRepliesOpen, broadcasting, linkPreviews } = access
  const changes = {
    ...(name.trim() !== channel.name && { name }),
    ...(topic.trim() !== channel.topic && { topic }),
    ...(isPrivate !== channel.isPrivate && { isPrivate }),
    ...(posting !== channel.posting && { posting }),
    ...(areRepliesOpen !== channel.areRepliesOpen && { areRepliesOpen }),
    ...(broadcasting !== channel.broadcasting && { broadcasting }),
    ...(linkPreviews !== channel.linkPreviews && { linkPreviews }),
  }

  function forget() {
    forgetName()
    forgetTopic()
  }

  return { name, setName, topic, setTopic, access, setAccess, changes, forget }
}

/** Edits the name, topic and rules of a channel. The input is kept until the server has accepted it. */
export default function EditChannelDialog({ channel, startsAtTopic, onClose }: Props) {
  const client = useQueryClient()
  const edit = useChannelEdit(channel)
  const { name, topic, changes } = edit
  const canSave = name.trim() !== '' && Object.keys(changes).length > 0
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(updateChannel, { params: { channelId: channel.id }, body: changes }),
    onSuccess: (updated) => {
      putChannel(client, updated)
      close()
    },
    onError: (failure) => console.error('Failed to update channel:', failure),
  })

  function close() {
    edit.forget()
    onClose()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (canSave && !isPending) mutate()
  }

  return (
    <Dialog
      title={t('channels.editing.title')}
      action={
        <Button type="submit" variant="pine" disabled={isPending || !canSave}>
          {t('ui.save')}
        </Button>
      }
      onSubmit={submit}
      onCancel={close}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 px-6 pt-2 pb-4 max-wide:px-(--gutter)">
        <Field
          label={t('channels.name')}
          required
          autoFocus={!startsAtTopic}
          dir="auto"
          autoComplete="off"
          maxLength={limits.channelName}
          value={name}
          onChange={({ target }) => edit.setName(target.value)}
          before={<Hash size={16} className="text-soft" />}
          error={error ? failureText(t('channels.editing.failed'), error) : undefined}
        />
        <Field
          label={t('channels.topic')}
          autoFocus={startsAtTopic}
          dir="auto"
          autoComplete="off"
          maxLength={limits.topic}
          value={topic}
          onChange={({ target }) => edit.setTopic(target.value)}
          hint={t('channels.editing.topicHint')}
        />
        <AccessFields channel={channel} access={edit.access} onChange={edit.setAccess} />
      </div>
    </Dialog>
  )
}

interface AccessFieldsProps {
  channel: Channel
  access: Access
  onChange: (access: Access) => void
}

function AccessFields({ channel, access, onChange }: AccessFieldsProps) {
  const levels = channelLevels.map((value) => ({ value, name: levelName(value) }))
  return (
    <>
      {!channel.isGeneral && (
        <Checkbox
          label={t('channels.private')}
          hint={t('channels.onlyInvited')}
          checked={access.isPrivate}
          onChange={({ target }) => onChange({ ...access, isPrivate: target.checked })}
        />
      )}
      <Select
        label={t('channels.rules.posting')}
        {...(access.posting !== 'all' && { hint: t('channels.posters.hint', { count: channel.posters?.length ?? 0 }) })}
        options={levels}
        value={access.posting}
        onChange={(level) => onChange({ ...access, posting: level as ChannelLevel })}
      />
      {access.posting !== 'all' && (
        <Checkbox
          label={t('channels.rules.replies')}
          hint={t('channels.rules.repliesHint')}
          checked={access.areRepliesOpen}
          onChange={({ target }) => onChange({ ...access, areRepliesOpen: target.checked })}
        />
      )}
      <Select
        label={t('channels.rules.broadcasting')}
        options={levels}
        value={access.broadcasting}
        onChange={(level) => onChange({ ...access, broadcasting: level as ChannelLevel })}
      />
      <Checkbox
        label={t('channels.rules.linkPreviews')}
        hint={t('channels.rules.linkPreviewsHint')}
        checked={access.linkPreviews}
        onChange={({ target }) => onChange({ ...access, linkPreviews: target.checked })}
      />
    </>
  )
}

function levelName(level: ChannelLevel) {
  if (level === 'all') return t('channels.rules.all')
  return level === 'members' ? t('channels.rules.members') : t('channels.rules.admins')
}
