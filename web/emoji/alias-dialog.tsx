import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { addEmojiAlias } from '#contract/custom-emoji'
import { call } from '../api-client/api.ts'
import { failureText, fieldText } from '../api-client/failure-text.ts'
import { t } from '../i18n/text.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Button } from '../ui/input/button.tsx'
import { refetchEmoji } from './custom-emoji.ts'
import { tidyName } from './emoji-name.ts'
import { NameField } from './name-field.tsx'

/** Gives an emoji another name. */
export function AliasDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const client = useQueryClient()
  const [alias, setAlias] = useState('')
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call(addEmojiAlias, { params: { name }, body: { alias: tidyName(alias) } }),
    onSuccess: () => {
      refetchEmoji(client)
      onClose()
    },
    onError: (problem) => console.error('Failed to add a name of an emoji:', problem),
  })
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <Dialog
      title={t('emoji.alias.title', { name: `:${name}:` })}
      isQuestion
      onSubmit={submit}
      action={
        <Button type="submit" variant="pine" isBusy={isPending} disabled={tidyName(alias) === ''}>
          {t('emoji.alias.add')}
        </Button>
      }
      onClose={onClose}
    >
      <div className="px-6 pt-1 pb-4">
        <NameField
          value={alias}
          error={error ? (fieldText(error, 'alias') ?? failureText(t('emoji.alias.failed'), error)) : undefined}
          onChange={(typed) => {
            reset()
            setAlias(typed)
          }}
        />
      </div>
    </Dialog>
  )
}
