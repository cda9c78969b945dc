import { type SubmitEvent, useState } from 'react'
import { limits } from '#contract/limits'
import { fieldText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { Field } from '../../../ui/input/field.tsx'
import { PasswordField } from '../password-field.tsx'
import { deletionProblem, useDeletion } from './use-deletion.ts'

interface Props {
  /** People who sign in with a provider have none; they must have signed in just now. */
  hasPassword: boolean
  onCancel: () => void
}

export function DeletionForm({ hasPassword, onCancel }: Props) {
  const me = useMe()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useDeletion()
  const wrongName = fieldText(error, 'username')
  const wrongPassword = fieldText(error, 'password')
  const isFilled = username.trim() !== '' && (password !== '' || !hasPassword)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isFilled && !isPending) mutate({ username, ...(password && { password }) })
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Consequences />
      <Field
        label={t('identity.deletion.username', { username: me.username })}
        dir="ltr"
        name="confirmation"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.username.max + 1}
        value={username}
        onChange={({ target }) => setUsername(target.value)}
        error={wrongName}
      />
      {hasPassword ? (
        <PasswordField
          label={t('identity.confirm.password')}
          autoComplete="current-password"
          maxLength={limits.password.max}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          error={wrongPassword}
        />
      ) : (
        <p className="text-pretty text-faint text-meta">{t('identity.deletion.provider')}</p>
      )}
      {error && !wrongName && !wrongPassword && (
        <p role="alert" className="text-pretty text-danger text-meta">
          {deletionProblem(error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="danger" disabled={!isFilled} isBusy={isPending}>
          {t('identity.deletion.action')}
        </Button>
      </div>
    </form>
  )
}

function Consequences() {
  return (
    <div className="text-pretty text-soft text-ui">
      <ul className="flex list-disc flex-col gap-1.5 ps-5">
        <li>{t('identity.deletion.erased')}</li>
        <li>{t('identity.deletion.stays', { name: t('people.deletedAccount') })}</li>
        <li>{t('identity.deletion.left')}</li>
        <li>{t('identity.deletion.drafts')}</li>
      </ul>
      <p className="mt-3 font-[550] text-ink">{t('identity.deletion.forever')}</p>
    </div>
  )
}
