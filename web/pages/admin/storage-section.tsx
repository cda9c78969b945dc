import { StorageList } from '../../features/administration/storage-list.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** Lazy-loaded. */
export default function StorageSection() {
  return (
    <AdminPart title={t('storage.title')} hint={t('storage.hint')}>
      <StorageList />
    </AdminPart>
  )
}
