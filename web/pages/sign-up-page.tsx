import { useLocation } from 'react-router'
import { limits } from '#contract/limits'
import { AuthForm } from '../features/identity/auth-form.tsx'
import { AuthLayout } from '../features/identity/auth-layout.tsx'
import { PasswordField } from '../features/identity/password-field.tsx'
import { paths } from '../paths.ts'
import { signUp } from '../session.ts'
import { Field } from '../ui/field.tsx'

export function SignUpPage() {
  const { state } = useLocation()
  return (
    <AuthLayout
      title="Create an account"
      subtitle="You will be talking in a minute."
      other={{ question: 'Have an account?', answer: 'Sign in', to: paths.signIn, state }}
    >
      <AuthForm
        action="Create account"
        busyAction="Creating account…"
        submit={({ name = '', username = '', email = '', password = '' }) =>
          signUp({ name, username: username.trim(), email: email.trim(), password })
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
              placeholder="How others see you"
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
            <Field label="E-mail" name="email" type="email" required autoComplete="email" error={errors['email']} />
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
    </AuthLayout>
  )
}
