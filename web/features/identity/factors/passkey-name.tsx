import { type SubmitEvent, useState } from 'react'
import { limits } from '#contract/limits'
import { failureText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { Button } from '../../../ui/input/button.tsx'
import { Field } from '../../../ui/input/field.tsx'

interface Props {
  initial: string
  isBusy: boolean
  error: Error | null
  onSave: (name: string) => void
  onCancel: () => void
}

/** Names a passkey, so that it can be recognized later. */
export function PasskeyName({ initial, isBusy, error, onSave, onCancel }: Props) {
  const [name, setName] = useState(initial)
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (name.trim() !== '' && !isBusy) onSave(name.trim())
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label={t('passkeys.nameLabel')}
        hint={t('passkeys.nameHint')}
        dir="auto"
        autoFocus
        maxLength={limits.passkeys.name}
        value={name}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
      />
      {error && (
        <p role="alert" className="text-danger text-meta">
          {failureText(t('passkeys.failed'), error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="pine" disabled={name.trim() === ''} isBusy={isBusy}>
          {t('passkeys.save')}
        </Button>
      </div>
    </form>
  )
}
