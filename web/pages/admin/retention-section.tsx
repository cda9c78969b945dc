import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { AuditAgesForm } from '../../features/audit/audit-ages-form.tsx'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import { HoldList } from '../../features/retention/hold-list.tsx'
import { retentionRules } from '../../features/retention/retention-queries.ts'
import { RuleForm } from '../../features/retention/rule-form.tsx'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { AdminPart } from './admin-part.tsx'

/** How long messages and lines of the audit log are kept, and holds. Lazy-loaded. */
export default function RetentionSection() {
  const { data: rules, error, refetch } = useQuery(retentionRules)
  const { data: channels = [] } = useQuery(sharedChannels)
  useEffect(() => {
    if (error) console.error('Failed to load retention:', error)
  }, [error])
  if (!rules && error) return <LoadError text={t('retention.loadFailed')} retry={() => void refetch()} />
  if (!rules) return <SkeletonRows />
  return (
    <>
      <AdminPart title={t('retention.rules')} hint={t('retention.rulesHint')}>
        <p className="mb-3 text-ui">
          {rules.days === null ? t('retention.now.all') : t('retention.now.days', { days: rules.days })}
        </p>
        {rules.channels.length > 0 && (
          <ul aria-label={t('retention.exceptions')} className="mb-5 text-ui">
            {rules.channels.map(({ id, name, days }) => (
              <li key={id} className="flex min-h-9 items-center gap-3 border-line border-t first:border-t-0">
                <bdi className="min-w-0 flex-1 truncate font-[550]">#{name}</bdi>
                <span className="text-soft">{days === 0 ? t('retention.keep') : t('retention.forDays', { days })}</span>
              </li>
            ))}
          </ul>
        )}
        <RuleForm rules={rules} channels={channels} />
      </AdminPart>
      <AdminPart title={t('retention.holds')} hint={t('retention.holdsHint')}>
        <HoldList holds={rules.holds} channels={channels} />
      </AdminPart>
      <AdminPart title={t('audit.title')} hint={t('audit.ages.hint')}>
        <AuditAgesForm />
      </AdminPart>
    </>
  )
}
