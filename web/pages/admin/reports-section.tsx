import { ReportList } from '../../features/moderation/report-list.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** Lazy-loaded. */
export default function ReportsSection() {
  return (
    <AdminPart title={t('reports.open')} hint={t('reports.hint')}>
      <ReportList />
    </AdminPart>
  )
}
