import { HealthPanel } from '../../features/administration/health-panel.tsx'
import { t } from '../../i18n/text.ts'
import { AdminPart } from './admin-part.tsx'

/** Lazy-loaded. */
export default function HealthSection() {
  return (
    <AdminPart title={t('health.title')}>
      <HealthPanel />
    </AdminPart>
  )
}
