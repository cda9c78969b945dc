import { useState } from 'react'
import { limits } from '#contract/limits'
import { t } from '../../i18n/text.ts'
import { signUp } from '../../session/sign-in.ts'
import { Field } from '../../ui/input/field.tsx'
import { AuthForm } from './auth-form.tsx'
import { PasswordField } from './password-field.tsx'
import { proposeUsername, signUpErrors } from './sign-up-rules.ts'

const { min, max } = limits.username

interface Props {
  /** The code of an invite link. */
  invite?: string | undefined
  /** The only address that may use the invite. */
  email?: string | null
}

/** Creates an account with a password, with an invite if given. */
export function SignUpForm({ invite, email = null }: Props) {
  const [name, setName] = useState('')
  /** Undefined until it is typed or submitted; until then it follows the name. */
  const [chosen, setChosen] = useState<string>()
  const username = chosen ?? proposeUsername(name)

  function check(typed: Record<string, string>) {
    setChosen(typed['username'] || undefined)
    return signUpErrors(typed)
  }

  return (
    <AuthForm
      action={t('signUp.action')}
      busyAction={t('signUp.busy')}
      check={check}
      submit={({ name = '', username = '', email = '', password = '' }) =>
        signUp({ name, username: username.trim(), email: email.trim(), password, invite })
      }
    >
      {(errors) => (
        <>
          <Field
            label={t('people.name')}
            note={t('signUp.optional')}
            name="name"
            autoFocus
            autoComplete="name"
            maxLength={limits.personName}
            placeholder={t('signUp.fullName')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            error={errors['name']}
          />
          <Field
            label={t('people.username')}
            dir="ltr"
            name="username"
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            before={<span className="text-faint">@</span>}
            hint={t('signUp.usernameHint', { min, max })}
            value={username}
            onChange={({ target }) => setChosen(target.value)}
            onBlur={() => chosen === '' && setChosen(undefined)}
            error={chosen === undefined && username !== '' ? undefined : errors['username']}
          />
          <Field
            label={t('signUp.email')}
            dir="ltr"
            name="email"
            type="email"
            required
            autoComplete="email"
            {...(email !== null && { value: email, readOnly: true, hint: t('signUp.boundEmail') })}
            error={errors['email']}
          />
          <PasswordField
            required
            autoComplete="new-password"
            hint={t('signUp.passwordHint', { min: limits.password.min })}
            error={errors['password']}
          />
        </>
      )}
    </AuthForm>
  )
}
