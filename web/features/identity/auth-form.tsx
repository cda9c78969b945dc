import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useIdentity } from '../../me.tsx'
import { IdentityError } from '../../session/session.ts'
import { Button } from '../../ui/input/button.tsx'
import { type ErrorText, identityError } from './identity-errors.ts'

interface Props {
  action: string
  busyAction: string
  /** Signs in or up with the values of the form. */
  submit: (typed: Record<string, string>) => Promise<void>
  /** Renders the fields, each with its error. */
  children: (errors: Partial<Record<string, string>>) => ReactNode
}

/** The form of sign-in and sign-up: one attempt at a time; after a failure, the input stays. */
export function AuthForm({ action, busyAction, submit, children }: Props) {
  const { refresh } = useIdentity()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorText>()

  async function attempt(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    setBusy(true)
    setError(undefined)
    try {
      await submit(typed)
      if (await refresh()) return
      setError({ text: 'Allow cookies for this site to sign in' })
      setBusy(false)
    } catch (failure) {
      if (!(failure instanceof IdentityError)) console.error('Signing in or up failed:', failure)
      setError(identityError(failure))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={attempt} className="flex flex-col gap-4">
      {children(error?.field ? { [error.field]: error.text } : {})}
      {error && !error.field && (
        <p role="alert" className="text-danger text-ui">
          {error.text}
        </p>
      )}
      <Button type="submit" variant="pine" className="h-10 w-full text-[0.875rem]" disabled={isBusy}>
        {isBusy ? busyAction : action}
      </Button>
    </form>
  )
}
