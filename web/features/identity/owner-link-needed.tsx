import { t } from '../../i18n/text.ts'
import { AuthLayout } from './auth-layout.tsx'

/** In place of sign-in and sign-up, as long as only the owner's link leads in. */
export function OwnerLinkNeeded() {
  return <AuthLayout title={t('ownerLink.needed')} subtitle={t('ownerLink.neededText')} />
}
