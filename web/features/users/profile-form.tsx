import { useMutation } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { limits } from '#contract/limits'
import { updateMe } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { failureText, fieldText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useIdentity, useMe } from '../../me.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { usePersistedText } from '../../ui/input/persisted-text.ts'

/** Edits my name and username. The input is kept until the server has accepted it. */
export function ProfileForm() {
  const me = useMe()
  const { refresh } = useIdentity()
  const { text: name, write: setName, forget: forgetName } = usePersistedText(`${me.id} my name`, me.name)
  const {
    text: username,
    write: setUsername,
    forget: forgetUsername,
  } = usePersistedText(`${me.id} my username`, me.username)
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: () => call(updateMe, { body: { name, username } }),
    onSuccess: async (saved) => {
      setName(saved.name)
      setUsername(saved.username)
      forgetName()
      forgetUsername()
      await refresh()
    },
    onError: (failure) => console.error('Failed to save profile:', failure),
  })
  const nameProblem = fieldText(error, 'name')
  const usernameProblem = fieldText(error, 'username')
  const isChanged = name.trim() !== me.name || username.trim() !== me.username
  const canSave = isChanged && name.trim() !== '' && username.trim() !== '' && !isPending

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (canSave) mutate()
  }

  return (
    <form onSubmit={submit} onChange={reset} className="flex flex-col gap-3">
      <Field
        label={t('people.name')}
        dir="auto"
        autoComplete="name"
        maxLength={limits.personName}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={nameProblem}
      />
      <Field
        label={t('people.username')}
        dir="ltr"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={limits.username.max}
        value={username}
        onChange={({ target }) => setUsername(target.value)}
        before={<span className="text-faint">@</span>}
        error={usernameProblem}
      />
      <div className="flex items-center justify-end gap-3">
        <p role="status" className="min-w-0 flex-1 text-meta">
          {isSuccess && !isChanged && <span className="text-soft">{t('ui.saved')}</span>}
          {error && !nameProblem && !usernameProblem && (
            <span className="text-danger">{failureText(t('users.saveFailed'), error)}</span>
          )}
        </p>
        <Button type="submit" variant="pine" disabled={!canSave}>
          {t('ui.save')}
        </Button>
      </div>
    </form>
  )
}
