// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { signInWays } from '../../features/identity/identity-queries.ts'
import { SignUpForm } from '../../features/identity/sign-up-form.tsx'
import { WaysIn } from '../../features/identity/ways-in.tsx'
import { t } from '../../i18n/text.ts'
import { type Intent, paths } from '../../paths.ts'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

export default function SignUpPage() {
  const { state } = useLocation()
  const { data: ways } = useQuery(signInWays)
  if (ways === undefined) return <FullPageSpinner>{t('app.loadingSignIn')}</FullPageSpinner>
  const other = { text: 'signUp.haveAccount', to: paths.signIn, state } as const
  if (ways && ways.signUp !== 'open')
    return (
      <AuthLayout
        title={ways.signUp === 'invite' ? t('signUp.inviteTitle') : t('signUp.closedTitle')}
        subtitle={ways.signUp === 'invite' ? t('signUp.inviteText') : t('signUp.closedText')}
        other={other}
      />
    )
  return (
    <AuthLayout
      title={t('signUp.title')}
      subtitle={ways?.isEmpty ? t('signUp.emptySubtitle') : t('signUp.subtitle')}
      other={other}
    >
      <WaysIn ways={ways} to={(state as Intent | null)?.from ?? paths.dashboard}>
        <SignUpForm />
      </WaysIn>
    </AuthLayout>
  )
}
