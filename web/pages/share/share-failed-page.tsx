import { Link, useSearchParams } from 'react-router'
import { limits } from '#contract/limits'
import { useTitle } from '../../browser/tab-title.ts'
import { AuthLayout } from '../../features/identity/auth-layout.tsx'
import { t } from '../../i18n/text.ts'
import { paths } from '../../paths.ts'
import { type ShareFailure, shareFailures } from '../../ui/device/share-failures.ts'

/** Says why nothing was shared; works without signing in. Lazy-loaded. */
export default function ShareFailedPage() {
  const [params] = useSearchParams()
  const reason = shareFailures.find((name) => name === params.get('failed')) ?? 'unreadable'
  useTitle(t('share.failed'))
  return (
    <AuthLayout title={t('share.failed')} subtitle={<span role="status">{textOf(reason)}</span>}>
      <Link to={paths.home} className="font-[600] text-pine text-ui hover:underline">
        {t('confirmEmail.continue')}
      </Link>
    </AuthLayout>
  )
}

function textOf(reason: ShareFailure) {
  switch (reason) {
    case 'unready':
      return t('share.unready')
    case 'unreadable':
      return t('share.unreadable')
    case 'empty':
      return t('share.empty')
    case 'tooLong':
      return t('share.tooLong')
    case 'tooMany':
      return t('share.tooMany', { count: limits.attachments })
    case 'tooLarge':
      return t('share.tooLarge')
    case 'full':
      return t('share.full')
  }
}
