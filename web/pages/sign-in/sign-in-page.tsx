// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import { AuthForm } from '../../features/identity/auth-form.tsx'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { PasskeyButton } from '../../features/identity/factors/passkey-button.tsx'
import { SecondFactorForm } from '../../features/identity/factors/second-factor-form.tsx'
import { hostedErrorText } from '../../features/identity/hosted-errors.ts'
import { signInErrors } from '../../features/identity/identity-errors.ts'
import { signInWays } from '../../features/identity/identity-queries.ts'
import { OwnerLinkNeeded } from '../../features/identity/owner-link-needed.tsx'
import { PasswordField } from '../../features/identity/password-field.tsx'
import { WaysIn } from '../../features/identity/ways-in.tsx'
import { t } from '../../i18n/text.ts'
import { useIdentity } from '../../me.tsx'
import { type Intent, paths } from '../../paths.ts'
import { signIn } from '../../session/sign-in.ts'
import { useSignOutPending } from '../../session/sign-out.ts'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Field } from '../../ui/input/field.tsx'

export default function SignInPage() {
  const { state } = useLocation()
  const { hasSessionEnded } = useIdentity()
  const [search] = useSearchParams()
  const { data: ways, isFetchedAfterMount } = useQuery(signInWays)
  const isSignOutPending = useSignOutPending()
  const [needsCode, setNeedsCode] = useState((state as Intent | null)?.needsCode === true)
  if (ways === undefined) return <FullPageSpinner>{t('app.loadingSignIn')}</FullPageSpinner>
  if (needsCode) return <SecondFactorForm onBack={() => setNeedsCode(false)} />
  const error = search.get('error')
  // Nobody could sign in. An earlier answer may have been overtaken by the first sign-up.
  if (ways?.isEmpty && isFetchedAfterMount && !error)
    return ways.needsOwnerLink ? <OwnerLinkNeeded /> : <Navigate to={paths.signUp} replace state={state} />
  return (
    <AuthLayout
      title={t('signIn.title')}
      subtitle={hasSessionEnded ? t('signIn.sessionExpired') : t('signIn.subtitle')}
      other={!ways || ways.signUp === 'open' ? { text: 'signIn.newHere', to: paths.signUp, state } : undefined}
      foot={ways?.password === false || ways?.sendsMail ? undefined : t('signIn.forgot')}
    >
      {(state as Intent | null)?.hasDeletedAccount && (
        <p role="status" className="mb-4 text-soft text-ui">
          {t('identity.deletion.done')}
        </p>
      )}
      {isSignOutPending && (
        <p role="status" className="mb-4 text-soft text-ui">
          {t('signIn.signOutPending')}
        </p>
      )}
      {error && ways?.provider && (
        <p role="alert" className="mb-4 text-danger text-ui">
          {hostedErrorText(error, ways.provider.name)}
        </p>
      )}
      <WaysIn ways={ways} to={(state as Intent | null)?.from ?? paths.dashboard}>
        <AuthForm
          action={t('signIn.action')}
          busyAction={t('signIn.busy')}
          check={signInErrors}
          submit={async ({ login = '', password = '' }) => {
            if ((await signIn({ login: login.trim(), password })) === 'done') return undefined
            setNeedsCode(true)
            return 'more'
          }}
        >
          {(errors) => (
            <>
              <Field
                label={t('signIn.login')}
                dir="ltr"
                name="login"
                required
                // After a session has ended on its own, the user may still be typing a message.
                autoFocus={!hasSessionEnded}
                autoComplete="username"
                error={errors['login']}
              />
              <PasswordField required autoComplete="current-password" error={errors['password']} />
              {ways?.sendsMail && (
                <Link
                  to={paths.forgotPassword}
                  className="-mt-2 self-start rounded-s py-1 pointer-coarse:py-3 font-[550] text-meta text-soft hover:text-ink hover:underline"
                >
                  {t('signIn.forgotLink')}
                </Link>
              )}
            </>
          )}
        </AuthForm>
        <PasskeyButton />
      </WaysIn>
    </AuthLayout>
  )
}
