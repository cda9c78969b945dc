import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { SignUpMode } from '#contract/identity'
import { setSignUp } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { signUpRule } from './administration-queries.ts'
import { FixedSignUp, SignUpChoice } from './sign-up-choice.tsx'

/** Who may sign up, and a way to change it unless the server's settings decide. */
export function SignUpRule() {
  const client = useQueryClient()
  const { data: rule, error, refetch } = useQuery(signUpRule)
  const [chosen, setChosen] = useState<SignUpMode>()
  const saving = useMutation({
    mutationFn: (signUp: SignUpMode) => call(setSignUp, { body: { signUp } }),
    onSuccess: (saved) => {
      client.setQueryData(signUpRule.queryKey, saved)
      setChosen((current) => (current === saved.signUp ? undefined : current))
    },
    onError: (failure) => console.error('Failed to change who may sign up:', failure),
  })
  useEffect(() => {
    if (error) console.error('Failed to load who may sign up:', error)
  }, [error])
  if (!rule && error) return <LoadError text={t('signUpRule.loadFailed')} retry={() => void refetch()} />
  if (!rule) return <SkeletonRows />
  if (rule.isFixed) return <FixedSignUp mode={rule.signUp} />
  const value = chosen ?? rule.signUp

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!saving.isPending) saving.mutate(value)
  }

  return (
    <form className="grid max-w-sm gap-4" onSubmit={submit}>
      <SignUpChoice
        value={value}
        onChoose={(mode) => {
          setChosen(mode)
          if (!saving.isPending) saving.reset()
        }}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="pine" isBusy={saving.isPending} disabled={value === rule.signUp}>
          {t('retention.save')}
        </Button>
        <span role="status" className="text-pine text-ui">
          {saving.isSuccess && chosen === undefined && t('retention.saved')}
        </span>
      </div>
      {saving.error && (
        <p role="alert" className="text-danger text-ui">
          {failureText(t('signUpRule.saveFailed'), saving.error)}
        </p>
      )}
    </form>
  )
}
