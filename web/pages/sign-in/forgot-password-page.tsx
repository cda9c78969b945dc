// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { ForgotForm } from '../../features/identity/forgot-form.tsx'
import { signInWays } from '../../features/identity/identity-queries.ts'
import { rich, t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'

const other = { text: 'newPassword.signIn', to: paths.signIn, state: null } as const

/** Requests a mail with a link to a new password; without a mail server, says whom to ask. */
export default function ForgotPasswordPage() {
  const { data: ways } = useQuery(signInWays)
  const [sentTo, setSentTo] = useState<string>()
  if (ways === undefined) return <FullPageSpinner>{t('app.loadingSignIn')}</FullPageSpinner>
  if (ways && !(ways.sendsMail && ways.password))
    return <AuthLayout title={t('forgot.title')} subtitle={t('forgot.noMail')} other={other} />
  if (sentTo)
    return (
      <AuthLayout
        title={t('forgot.sentTitle')}
        subtitle={
          <span role="status">
            {rich('forgot.sent', {
              email: (
                <bdi dir="ltr" className="font-[600] text-ink [overflow-wrap:anywhere]">
                  {sentTo}
                </bdi>
              ),
            })}
          </span>
        }
        other={other}
      />
    )
  return (
    <AuthLayout title={t('forgot.title')} subtitle={t('forgot.text')} other={other}>
      <ForgotForm onSent={setSentTo} />
    </AuthLayout>
  )
}
