import { useLocation } from 'react-router'
import { AuthForm } from '../features/identity/auth-form.tsx'
import { AuthLayout } from '../features/identity/auth-layout.tsx'
import { PasswordField } from '../features/identity/password-field.tsx'
import { paths } from '../paths.ts'
import { signIn } from '../session.ts'
import { Field } from '../ui/field.tsx'

export function SignInPage() {
  const { state } = useLocation()
  return (
    <AuthLayout
      title="Welcome back"
      subtitle="Sign in to your workspace."
      other={{ question: 'New here?', answer: 'Create an account', to: paths.signUp, state }}
    >
      <AuthForm
        action="Sign in"
        busyAction="Signing in…"
        submit={({ login = '', password = '' }) => signIn({ login: login.trim(), password })}
      >
        {(errors) => (
          <>
            <Field
              label="E-mail or username"
              name="login"
              required
              autoFocus
              autoComplete="username"
              error={errors['email'] ?? errors['username']}
            />
            <PasswordField required autoComplete="current-password" error={errors['password']} />
          </>
        )}
      </AuthForm>
    </AuthLayout>
  )
}
