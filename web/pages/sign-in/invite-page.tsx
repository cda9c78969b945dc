// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { inviteBy, signInWays } from '../../features/identity/identity-queries.ts'
import { SignUpForm } from '../../features/identity/sign-up-form.tsx'
import { WaysIn } from '../../features/identity/ways-in.tsx'
import { paths } from '../../paths.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

/** Shows who sent an invite, and the ways to join. */
export default function InviteWelcome() {
  const { code = '' } = useParams()
  const { data: ways } = useQuery(signInWays)
  const { data: invite, error, refetch } = useQuery(inviteBy(code))
  if (error)
    return (
      <AuthLayout title="Join Parley" subtitle="Couldn't load the invite.">
        <LoadError text="Can't reach Parley. Check your connection." retry={refetch} isRetried />
      </AuthLayout>
    )
  if (ways === undefined || invite === undefined) return <FullPageSpinner>Loading authentication...</FullPageSpinner>

  const other = { question: 'Have an account?', answer: 'Sign in', to: paths.signIn, state: null }
  if (ways?.signUp === 'closed')
    return (
      <AuthLayout title="Sign-up is closed" subtitle="This workspace isn't accepting new sign-ups." other={other} />
    )
  if (!invite)
    return (
      <AuthLayout
        title="This invite link is no longer valid"
        subtitle="It has expired, been used up, or been revoked. Ask the person who sent it for a new one."
        other={other}
      />
    )
  return (
    <AuthLayout
      title="Join Parley"
      subtitle={
        <>
          <bdi>{invite.from}</bdi> invites you to their workspace.
        </>
      }
      other={other}
    >
      <WaysIn ways={ways} to={paths.dashboard} invite={code}>
        <SignUpForm invite={code} />
      </WaysIn>
    </AuthLayout>
  )
}
