// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { signInWays } from '../../features/identity/identity-queries.ts'
import { SignUpForm } from '../../features/identity/sign-up-form.tsx'
import { WaysIn } from '../../features/identity/ways-in.tsx'
import { type Intent, paths } from '../../paths.ts'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

export default function SignUpPage() {
  const { state } = useLocation()
  const { data: ways } = useQuery(signInWays)
  if (ways === undefined) return <FullPageSpinner>Loading authentication...</FullPageSpinner>
  const other = { question: 'Have an account?', answer: 'Sign in', to: paths.signIn, state }
  if (ways && ways.signUp !== 'open')
    return (
      <AuthLayout
        title={ways.signUp === 'invite' ? 'You need an invite' : 'Sign-up is closed'}
        subtitle={
          ways.signUp === 'invite'
            ? 'You need an invite link to join. Ask the owner of this workspace for one.'
            : "This workspace isn't accepting new sign-ups."
        }
        other={other}
      />
    )
  return (
    <AuthLayout title="Create an account" subtitle="It takes less than a minute." other={other}>
      <WaysIn ways={ways} to={(state as Intent | null)?.from ?? paths.dashboard}>
        <SignUpForm />
      </WaysIn>
    </AuthLayout>
  )
}
