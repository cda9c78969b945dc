import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { changeEmail } from '#contract/email'
import { limits } from '#contract/limits'
import { call } from '../../api-client/api.ts'
import { failureText, fieldText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { myEmail } from './email-queries.ts'

/** Changes my address, with my password. */
export function EmailForm() {
  const client = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: () => call(changeEmail, { body: { email, password } }),
    onSuccess: (mine) => client.setQueryData(myEmail.queryKey, mine),
    onError: (failure) => console.error('Failed to change address:', failure),
  })
  const emailProblem = fieldText(error, 'email')
  const passwordProblem = fieldText(error, 'password')
  const isFilled = email.trim() !== '' && password !== ''

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isFilled && !isPending) mutate()
  }

  return (
    <form noValidate onSubmit={submit} onChange={reset} className="flex flex-col gap-3">
      <Field
        label={t('email.new')}
        type="email"
        dir="ltr"
        autoComplete="email"
        maxLength={254}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={emailProblem}
      />
      <Field
        label={t('identity.password.current')}
        type="password"
        dir="ltr"
        autoComplete="current-password"
        maxLength={limits.password.max}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        error={passwordProblem}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="pine" disabled={!isFilled} isBusy={isPending}>
          {t('email.change')}
        </Button>
      </div>
      {error && !emailProblem && !passwordProblem && (
        <p role="alert" className="text-danger text-meta">
          {failureText(t('email.changeFailed'), error)}
        </p>
      )}
    </form>
  )
}
