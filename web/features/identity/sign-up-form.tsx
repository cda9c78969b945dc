import { limits } from '#contract/limits'
import { signUp } from '../../session/sign-in.ts'
import { Field } from '../../ui/input/field.tsx'
import { AuthForm } from './auth-form.tsx'
import { PasswordField } from './password-field.tsx'

/** Creates an account with a password, with an invite if given. */
export function SignUpForm({ invite }: { invite?: string | undefined }) {
  return (
    <AuthForm
      action="Create account"
      busyAction="Creating account…"
      submit={({ name = '', username = '', email = '', password = '' }) =>
        signUp({ name, username: username.trim(), email: email.trim(), password, invite })
      }
    >
      {(errors) => (
        <>
          <Field
            label="Name"
            name="name"
            autoFocus
            autoComplete="name"
            maxLength={limits.personName}
            placeholder="Your full name"
            error={errors['name']}
          />
          <Field
            label="Username"
            name="username"
            required
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            before={<span className="text-faint">@</span>}
            error={errors['username']}
          />
          <Field label="Email" name="email" type="email" required autoComplete="email" error={errors['email']} />
          <PasswordField
            required
            autoComplete="new-password"
            minLength={limits.password.min}
            hint={`At least ${limits.password.min} characters.`}
            error={errors['password']}
          />
        </>
      )}
    </AuthForm>
  )
}
