// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import type { SignInWays } from '#contract/identity'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { ownerLinkBy, signInWays } from '../../features/identity/identity-queries.ts'
import { OwnerLinkNeeded } from '../../features/identity/owner-link-needed.tsx'
import { SignUpForm } from '../../features/identity/sign-up-form.tsx'
import { WaysIn } from '../../features/identity/ways-in.tsx'
import { t } from '../../i18n/text.ts'
import { type Intent, paths } from '../../paths.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

export default function SignUpPage() {
  const { state, hash } = useLocation()
  const { data: ways } = useQuery(signInWays)
  // The part of the URL that no server and no log receives.
  const ownerCode = hash.slice(1)
  if (ways === undefined) return <FullPageSpinner>{t('app.loadingSignIn')}</FullPageSpinner>
  if (ownerCode !== '') return <FirstOwner code={ownerCode} ways={ways} />
  if (ways?.needsOwnerLink) return <OwnerLinkNeeded />
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
      other={ways?.isEmpty ? undefined : other}
    >
      <WaysIn ways={ways} to={(state as Intent | null)?.from ?? paths.dashboard}>
        <SignUpForm />
      </WaysIn>
    </AuthLayout>
  )
}

/** What the owner's link opens. */
function FirstOwner({ code, ways }: { code: string; ways: SignInWays | null }) {
  const { data: isValid, error, refetch } = useQuery(ownerLinkBy(code))
  // A form that is being filled in stays.
  if (isValid === undefined && error)
    return (
      <AuthLayout title={t('ownerLink.needed')} subtitle={t('ownerLink.loadFailed')}>
        <LoadError text={t('errors.unreachable')} retry={refetch} isRetried />
      </AuthLayout>
    )
  if (isValid === undefined) return <FullPageSpinner>{t('app.loadingSignIn')}</FullPageSpinner>
  const other = { text: 'signUp.haveAccount', to: paths.signIn, state: null } as const
  if (!isValid && ways?.isEmpty) return <AuthLayout title={t('ownerLink.wrong')} subtitle={t('ownerLink.wrongText')} />
  if (!isValid) return <AuthLayout title={t('ownerLink.used')} subtitle={t('ownerLink.usedText')} other={other} />
  return (
    <AuthLayout title={t('signUp.title')} subtitle={t('signUp.emptySubtitle')} other={other}>
      <WaysIn ways={ways} to={paths.dashboard} invite={code}>
        <SignUpForm invite={code} />
      </WaysIn>
    </AuthLayout>
  )
}
