// Registers the check for a new version, in case a script of this one is gone.
import '../../realtime/new-version.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { identityError } from '../../features/identity/identity-errors.ts'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { stopMail } from '../../session/stop-mail.ts'
import { Button } from '../../ui/input/button.tsx'

/** The target of a mail's link to stop such mails; works without signing in. */
export default function StopMailPage() {
  const token = useLocation().hash.slice(1)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => stopMail(token),
    onError: (failure) => console.error('Failed to stop mails:', failure),
  })
  const onward = (
    <Link to={paths.home} className="font-[600] text-pine text-ui hover:underline">
      {t('confirmEmail.continue')}
    </Link>
  )
  if (data)
    return (
      <AuthLayout title={t('stopMail.done')} subtitle={<span role="status">{t('stopMail.doneText')}</span>}>
        {onward}
      </AuthLayout>
    )
  return (
    <AuthLayout title={t('stopMail.title')} subtitle={t('stopMail.text')}>
      {error && (
        <p role="alert" className="mb-4 text-danger text-ui">
          {identityError(error).text}
        </p>
      )}
      <Button
        variant="pine"
        className="h-10 w-full text-[0.875rem]"
        autoFocus
        isBusy={isPending}
        onClick={() => mutate()}
      >
        {t('stopMail.action')}
      </Button>
    </AuthLayout>
  )
}
