// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { identityError } from '../../features/identity/identity-errors.ts'
import { emailLinkBy } from '../../features/identity/identity-queries.ts'
import { rich, t } from '../../i18n/text.ts'
import { useIdentity } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { confirmEmail } from '../../session/sign-in.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Button } from '../../ui/input/button.tsx'

const strong = (text: string) => (
  <bdi dir="ltr" className="font-[600] text-ink [overflow-wrap:anywhere]">
    {text}
  </bdi>
)

/** The target of a link in a mail; confirms an address. It has a button, because mail scanners open links. */
export default function ConfirmEmailPage() {
  // The part of the URL that no server and no log receives.
  const code = useLocation().hash.slice(1)
  const { refreshTabs } = useIdentity()
  const { data: link, error, refetch } = useQuery(emailLinkBy(code))
  const confirming = useMutation({
    mutationFn: () => confirmEmail(code),
    onSuccess: () => refreshTabs(),
    onError: (failure) => console.error('Failed to confirm the address:', failure),
  })
  if (confirming.data)
    return (
      <AuthLayout
        title={t('confirmEmail.done')}
        subtitle={<span role="status">{rich('confirmEmail.doneText', { email: strong(confirming.data.email) })}</span>}
      >
        <Onward />
      </AuthLayout>
    )
  if (error)
    return (
      <AuthLayout title={t('confirmEmail.title')} subtitle={t('newPassword.loadFailed')}>
        <LoadError text={t('errors.unreachable')} retry={refetch} isRetried />
      </AuthLayout>
    )
  if (link === undefined) return <FullPageSpinner>{t('app.loading')}</FullPageSpinner>
  if (!link)
    return (
      <AuthLayout title={t('confirmEmail.ended')} subtitle={t('confirmEmail.endedText')}>
        <Onward />
      </AuthLayout>
    )
  return (
    <AuthLayout
      title={t('confirmEmail.title')}
      subtitle={rich(link.isNew ? 'confirmEmail.textNew' : 'confirmEmail.text', {
        email: strong(link.email),
        username: strong(`@${link.username}`),
      })}
    >
      {confirming.error && (
        <p role="alert" className="mb-4 text-danger text-ui">
          {identityError(confirming.error).text}
        </p>
      )}
      <Button
        variant="pine"
        className="h-10 w-full text-[0.875rem]"
        autoFocus
        isBusy={confirming.isPending}
        onClick={() => confirming.mutate()}
      >
        {t('confirmEmail.action')}
      </Button>
    </AuthLayout>
  )
}

function Onward() {
  return (
    <Link to={paths.home} className="font-[600] text-pine text-ui hover:underline">
      {t('confirmEmail.continue')}
    </Link>
  )
}
