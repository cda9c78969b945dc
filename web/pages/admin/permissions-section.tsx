import { PermissionTable } from '../../features/permissions/permission-table.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** Lazy-loaded. */
export default function PermissionsSection() {
  return (
    <AdminPart title={t('permissions.table')} hint={t('permissions.hint')}>
      <PermissionTable />
    </AdminPart>
  )
}
