import { ManagedChannelList } from '../../features/permissions/managed-channel-list.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** Lazy-loaded. */
export default function ChannelsSection() {
  return (
    <AdminPart title={t('managed.all')} hint={t('managed.hint')}>
      <ManagedChannelList />
    </AdminPart>
  )
}
