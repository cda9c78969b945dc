import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { askForPasswordLink } from '../../session/sign-in.ts'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { identityError } from './identity-errors.ts'

/** Requests a link to a new password. @param onSent called with the address, even if nobody has it */
export function ForgotForm({ onSent }: { onSent: (email: string) => void }) {
  const [email, setEmail] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { mutate, error, reset, isPending } = useMutation({
    mutationFn: askForPasswordLink,
    onSuccess: (_, sentTo) => onSent(sentTo),
    onError: (failure) => console.error('Failed to ask for a password link:', failure),
  })

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const typed = email.trim()
    const isAddress = /^[^\s@]+@[^\s@]+$/.test(typed)
    setWrong(!isAddress)
    if (isAddress && !isPending) mutate(typed)
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t('signUp.email')}
        name="email"
        type="email"
        dir="ltr"
        required
        autoFocus
        autoComplete="email"
        maxLength={320}
        value={email}
        onChange={({ target }) => {
          setEmail(target.value)
          setWrong(false)
          reset()
        }}
        error={isWrong ? t('signUp.error.email') : undefined}
      />
      {error && (
        <p role="alert" className="text-danger text-ui">
          {identityError(error).text}
        </p>
      )}
      <Button type="submit" variant="pine" className="h-10 w-full text-[0.875rem]" isBusy={isPending}>
        {t('forgot.action')}
      </Button>
    </form>
  )
}
