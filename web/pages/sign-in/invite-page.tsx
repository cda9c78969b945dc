// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { PRODUCT } from '../../browser/tab-title.ts'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { inviteBy, signInWays } from '../../features/identity/identity-queries.ts'
import { SignUpForm } from '../../features/identity/sign-up-form.tsx'
import { WaysIn } from '../../features/identity/ways-in.tsx'
import { rich, t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

/** Shows who sent an invite, and the ways to join. */
export default function InviteWelcome() {
  const { code = '' } = useParams()
  const { data: ways } = useQuery(signInWays)
  const { data: invite, error, refetch } = useQuery(inviteBy(code))
  const title = t('invite.title', { workspace: ways?.workspaceName ?? PRODUCT })
  if (invite === undefined && error)
    return (
      <AuthLayout title={title} subtitle={t('invite.loadFailed')}>
        <LoadError text={t('errors.unreachable')} retry={refetch} isRetried />
      </AuthLayout>
    )
  if (ways === undefined || invite === undefined) return <FullPageSpinner>{t('app.loadingSignIn')}</FullPageSpinner>

  const other = { text: 'signUp.haveAccount', to: paths.signIn, state: null } as const
  if (ways?.signUp === 'closed')
    return <AuthLayout title={t('signUp.closedTitle')} subtitle={t('signUp.closedText')} other={other} />
  if (!invite) return <AuthLayout title={t('invite.ended')} subtitle={t('invite.endedText')} other={other} />
  return (
    <AuthLayout title={title} subtitle={rich('invite.from', { name: <bdi>{invite.from}</bdi> })} other={other}>
      <WaysIn ways={ways} to={paths.dashboard} invite={code}>
        <SignUpForm invite={code} email={invite.email} />
      </WaysIn>
    </AuthLayout>
  )
}
