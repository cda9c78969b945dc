import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { CallOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { changePassword } from '#contract/password'
import { call } from '../../api-client/api.ts'
import { failureText, fieldText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { myPassword, mySessions } from './identity-queries.ts'
import { PasswordField } from './password-field.tsx'

/** Changes my password, if I have one. */
export function PasswordForm() {
  const { data, error, refetch } = useQuery(myPassword)
  useEffect(() => {
    if (error) console.error('Failed to load the account:', error)
  }, [error])

  if (!data && error) return <LoadError text={t('identity.password.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  if (!data.isSet) return <p className="text-soft text-ui">{t('errors.noPassword')}</p>
  return <ChangeForm />
}

const { min, max } = limits.password

function usePasswordChange(onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CallOf<typeof changePassword>['body']) => call(changePassword, { body }),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: mySessions.queryKey })
    },
    onError: (failure) => console.error('Failed to change password:', failure),
  })
}

function ChangeForm() {
  const me = useMe()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [endsOtherSessions, setEndsOtherSessions] = useState(true)
  const [isTooShort, setTooShort] = useState(false)
  const { mutate, reset, isPending, isSuccess, error, variables } = usePasswordChange(() => {
    setCurrent('')
    setNext('')
    setEndsOtherSessions(true)
  })
  const currentProblem = fieldText(error, 'current')
  const isFilled = current !== '' && next !== ''

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isFilled || isPending) return
    if (next.length >= min) mutate({ current, new: next, endsOtherSessions })
    else setTooShort(true)
  }

  function change<T>(set: (value: T) => void, value: T) {
    set(value)
    setTooShort(false)
    reset()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {/* Password managers store the new password for this name. */}
      <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
      <PasswordField
        name="current-password"
        label={t('identity.password.current')}
        autoComplete="current-password"
        maxLength={max}
        value={current}
        onChange={({ target }) => change(setCurrent, target.value)}
        error={currentProblem}
      />
      <PasswordField
        name="new-password"
        label={t('identity.password.new')}
        autoComplete="new-password"
        maxLength={max}
        value={next}
        onChange={({ target }) => change(setNext, target.value)}
        hint={t('signUp.passwordHint', { min })}
        error={isTooShort ? t('signUp.error.passwordShort', { min }) : undefined}
      />
      <Checkbox
        name="others"
        label={t('identity.password.others')}
        checked={endsOtherSessions}
        onChange={({ target }) => change(setEndsOtherSessions, target.checked)}
      />
      <div className="flex items-center justify-end gap-3">
        <p role="status" className="min-w-0 flex-1 text-meta text-soft">
          {isSuccess && t(variables.endsOtherSessions ? 'identity.password.changed' : 'identity.password.changedOnly')}
        </p>
        <Button type="submit" variant="pine" disabled={!isFilled} isBusy={isPending}>
          {t('identity.password.change')}
        </Button>
      </div>
      <ChangeFailure error={currentProblem ? null : error} />
    </form>
  )
}

function ChangeFailure({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <p role="alert" className="text-danger text-meta">
      {failureText(t('identity.password.changeFailed'), error)}
    </p>
  )
}
