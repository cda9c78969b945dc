import { type ReactNode, type SubmitEvent, useState } from 'react'
import { limits } from '#contract/limits'
import { failureText, fieldText } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { Button } from '../../../ui/input/button.tsx'
import { PasswordField } from '../password-field.tsx'

interface Props {
  /** What the password confirms. */
  text: ReactNode
  action: string
  isDanger?: boolean
  /** People who sign in with a provider confirm by the button alone. */
  hasPassword?: boolean
  isBusy: boolean
  error: Error | null
  /** Begins the sentence for a failure that is not about the password. */
  failed: string
  onConfirm: (password: string) => void
  onCancel: () => void
}

/** Asks for the password before something changes about how I sign in. */
export function ConfirmForm({ text, action, error, failed, onConfirm, onCancel, ...rest }: Props) {
  const { isDanger, isBusy, hasPassword = true } = rest
  const me = useMe()
  const [password, setPassword] = useState('')
  const problem = fieldText(error, 'password')
  const isFilled = password !== '' || !hasPassword

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isFilled && !isBusy) onConfirm(password)
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-pretty text-soft text-ui">{text}</p>
      {hasPassword && (
        <>
          <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
          <PasswordField
            label={t('identity.confirm.password')}
            autoFocus
            autoComplete="current-password"
            maxLength={limits.password.max}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            error={problem}
          />
        </>
      )}
      {error && !problem && (
        <p role="alert" className="text-danger text-meta">
          {failureText(failed, error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant={isDanger ? 'danger' : 'pine'} disabled={!isFilled} isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}
