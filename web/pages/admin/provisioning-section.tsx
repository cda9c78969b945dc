import { CopiedText } from '../../features/provisioning/copied-text.tsx'
import { TokenList } from '../../features/provisioning/token-list.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** Where a directory finds SCIM, and the tokens it needs. Lazy-loaded. */
export default function ProvisioningSection() {
  return (
    <>
      <AdminPart title={t('provisioning.title')} hint={t('provisioning.hint')}>
        <CopiedText label={t('provisioning.address')} text={`${window.location.origin}/api/scim/v2`} />
      </AdminPart>
      <AdminPart title={t('provisioning.tokens')}>
        <TokenList />
      </AdminPart>
    </>
  )
}
