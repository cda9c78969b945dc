import { type ChangeEvent, type ReactNode, type SubmitEvent, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { useIdentity } from '../../me.tsx'
import { IdentityError } from '../../session/session.ts'
import { Button } from '../../ui/input/button.tsx'
import { type FieldErrors, identityError } from './identity-errors.ts'

interface Props {
  action: string
  busyAction: string
  /** Returns the errors of the values, by field. If there are any, nothing is submitted. */
  check: (typed: Record<string, string>) => FieldErrors
  /** Signs in or up with the values of the form. 'more': another form replaces this one. */
  submit: (typed: Record<string, string>) => Promise<unknown>
  /** Renders the fields, each with its error. */
  children: (errors: FieldErrors) => ReactNode
}

/** The form of sign-in and sign-up: one attempt at a time; after a failure, the input stays. */
export function AuthForm({ action, busyAction, check, submit, children }: Props) {
  const { refresh } = useIdentity()
  const [isBusy, setBusy] = useState(false)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string>()

  async function attempt(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = Object.fromEntries(new FormData(form)) as Record<string, string>
    setProblem(undefined)
    const found = check(typed)
    setErrors(found)
    if (focusFirst(form, found)) return
    setBusy(true)
    try {
      if ((await submit(typed)) === 'more' || (await refresh())) return
      setProblem(t('signIn.cookies'))
    } catch (failure) {
      if (!(failure instanceof IdentityError)) console.error('Signing in or up failed:', failure)
      const { field, text } = identityError(failure)
      const refused = field ? { [field]: text } : {}
      setErrors(refused)
      if (!focusFirst(form, refused)) setProblem(text)
    }
    setBusy(false)
  }

  /** Clears an error once its field is edited. */
  function edit({ target }: ChangeEvent<HTMLFormElement>) {
    const { name } = target as unknown as HTMLInputElement
    if (errors[name]) setErrors({ ...errors, [name]: undefined })
  }

  return (
    <form
      noValidate
      onSubmit={attempt}
      onChange={edit}
      // Each field has room for an error, which therefore moves nothing.
      className="flex flex-col gap-2 *:data-field:min-h-23 pointer-coarse:*:data-field:min-h-24"
    >
      {children(errors)}
      <Button type="submit" variant="pine" className="h-10 w-full text-[0.875rem]" disabled={isBusy}>
        {isBusy ? busyAction : action}
      </Button>
      {/* Below the button, so that it moves nothing that one is about to press. */}
      {problem && (
        <p role="alert" className="mt-2 text-danger text-ui">
          {problem}
        </p>
      )}
    </form>
  )
}

/** Focuses the first field that has an error; returns whether there is one. */
function focusFirst(form: HTMLFormElement, errors: FieldErrors) {
  const field = [...form.elements].find((it) => it instanceof HTMLInputElement && errors[it.name])
  if (field instanceof HTMLInputElement) field.focus()
  return field !== undefined
}
