// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from 'react-router'
import { limits } from '#contract/limits'
import { AuthForm } from '../../features/identity/auth-form.tsx'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { sentenceOf } from '../../features/identity/identity-errors.ts'
import { passwordResetBy, signInWays } from '../../features/identity/identity-queries.ts'
import { PasswordField } from '../../features/identity/password-field.tsx'
import { rich, t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { resetPassword } from '../../session/sign-in.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

const { min, max } = limits.password

/** The target of a link from an admin or a mail; sets a new password, and signs in with it. */
export default function NewPasswordPage() {
  // The part of the URL that no server and no log receives.
  const code = useLocation().hash.slice(1)
  const navigate = useNavigate()
  const { data: reset, error, refetch } = useQuery(passwordResetBy(code))
  const { data: ways } = useQuery(signInWays)
  const title = t('newPassword.title')
  if (error)
    return (
      <AuthLayout title={title} subtitle={t('newPassword.loadFailed')}>
        <LoadError text={t('errors.unreachable')} retry={refetch} isRetried />
      </AuthLayout>
    )
  if (reset === undefined || ways === undefined) return <FullPageSpinner>{t('app.loadingSignIn')}</FullPageSpinner>
  if (!reset)
    return (
      <AuthLayout
        title={t('newPassword.ended')}
        subtitle={
          ways?.sendsMail
            ? rich('newPassword.endedMail', {
                a: (answer) => (
                  <Link to={paths.forgotPassword} className="font-[600] text-pine hover:underline">
                    {answer}
                  </Link>
                ),
              })
            : t('newPassword.endedText')
        }
        other={{ text: 'newPassword.signIn', to: paths.signIn, state: null }}
      />
    )

  async function submit({ password = '' }: Record<string, string>) {
    if ((await resetPassword(code, password)) === 'needsCode') {
      void navigate(paths.signIn, { replace: true, state: { needsCode: true } })
      return 'more'
    }
    void navigate(paths.dashboard, { replace: true })
    return undefined
  }

  return (
    <AuthLayout
      title={title}
      subtitle={rich('newPassword.for', {
        name: (
          <bdi dir="ltr" className="font-[600] text-ink">
            @{reset.username}
          </bdi>
        ),
      })}
    >
      <AuthForm
        action={t('newPassword.action')}
        busyAction={t('newPassword.busy')}
        check={({ password = '' }) => (password.length < min ? { password: sentenceOf('PASSWORD_TOO_SHORT') } : {})}
        submit={submit}
      >
        {(errors) => (
          <>
            {/* Password managers store the new password for this name. */}
            <input type="text" name="username" autoComplete="username" value={reset.username} readOnly hidden />
            <PasswordField
              label={t('identity.password.new')}
              required
              autoFocus
              autoComplete="new-password"
              maxLength={max}
              hint={t('signUp.passwordHint', { min })}
              error={errors['password']}
            />
          </>
        )}
      </AuthForm>
    </AuthLayout>
  )
}
