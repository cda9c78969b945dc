import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { CertificateHealth, WorkspaceHealth } from '#contract/administration'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { serverNow } from '../../ui/format/clock.ts'
import { wholeTime } from '../../ui/format/clock-time.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { shortDate } from '../../ui/format/short-date.ts'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { workspaceHealth } from './administration-queries.ts'

const BACKUP_IS_OLD_MS = 8 * 24 * 3_600_000

/** The state of the server in plain words, with marks where something needs attention. */
export function HealthPanel() {
  const { data, error, refetch } = useQuery(workspaceHealth)
  useEffect(() => {
    if (error) console.error('Failed to load health:', error)
  }, [error])
  if (!data && error) return <LoadError text={t('health.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  return (
    <dl tabIndex={0} className="max-w-2xl rounded-s">
      <Line name={t('health.version')} isWell>
        {t('health.versionText', { version: data.version, date: shortDate(data.startedAt) })}
      </Line>
      <Line name={t('health.database')} isWell>
        {t('health.databaseText', { version: data.database.version, size: fileSize(data.database.bytes) })}
      </Line>
      {data.certificate && <CertificateLine certificate={data.certificate} />}
      <Nodes health={data} />
      <Line name={t('health.files')} isWell>
        {t(data.files.place === 's3' ? 'health.filesBucket' : 'health.filesDisk', {
          count: data.files.count,
          size: fileSize(data.files.bytes),
        })}
      </Line>
      <Backups health={data} />
      <MailQueue health={data} />
    </dl>
  )
}

function CertificateLine({ certificate }: { certificate: CertificateHealth }) {
  const { names, isAutomatic, endsAt, endsSoon, lastError, retriesAt } = certificate
  return (
    <Line name={t('health.certificate')} isWell={endsAt !== null && !endsSoon && lastError === null}>
      {endsAt
        ? t('health.certificateText', { names: names.join(', '), date: shortDate(endsAt) })
        : t('health.noCertificate', { names: names.join(', ') })}{' '}
      {isAutomatic ? t('health.certificateAutomatic') : t('health.certificateFiles', { variable: 'TLS_CERT' })}
      {lastError && retriesAt && (
        <span className="mt-1 block text-meta text-soft [overflow-wrap:anywhere]">
          {t('health.certificateFailed', { error: lastError, time: wholeTime(retriesAt) })}
        </span>
      )}
    </Line>
  )
}

function Nodes({ health: { nodes, bus } }: { health: WorkspaceHealth }) {
  const others = nodes.running - 1
  const isWell = nodes.heard >= others
  return (
    <Line name={t('health.nodes')} isWell={isWell}>
      {others === 0
        ? t('health.oneNode')
        : isWell
          ? t('health.allHeard', { count: nodes.running })
          : t('health.unheard', { count: nodes.running, heard: nodes.heard, others })}{' '}
      {others > 0 && (bus === 'redis' ? t('health.busRedis') : t('health.busDatabase'))}
    </Line>
  )
}

function Backups({ health: { backups } }: { health: WorkspaceHealth }) {
  const { isScheduled, lastAt } = backups
  const isOld = lastAt !== null && serverNow() - Date.parse(lastAt) > BACKUP_IS_OLD_MS
  return (
    <Line name={t('health.backups')} isWell={lastAt !== null && !isOld}>
      {lastAt ? t('health.backedUp', { date: shortDate(lastAt) }) : t('health.neverBackedUp')}{' '}
      {!isScheduled && t('health.noSchedule', { variable: 'BACKUP_EVERY' })}
    </Line>
  )
}

function MailQueue({ health: { mail } }: { health: WorkspaceHealth }) {
  const { isSent, waiting, failed, lastError } = mail
  return (
    <Line name={t('health.mail')} isWell={isSent && failed === 0 && !(waiting > 0 && lastError)}>
      {isSent ? t('health.mailText', { waiting, failed }) : t('health.noMail', { variable: 'SMTP_URL' })}
      {isSent && lastError && (
        <span className="mt-1 block text-meta text-soft [overflow-wrap:anywhere]">
          {t('health.mailSaid', { error: lastError })}
        </span>
      )}
    </Line>
  )
}

function Line({ name, isWell, children }: { name: string; isWell: boolean; children: ReactNode }) {
  const Icon = isWell ? CircleCheck : CircleAlert
  return (
    <div className="grid gap-x-4 border-line border-t py-3 text-ui first:border-t-0 first:pt-0 wide:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="flex items-center gap-2 self-start font-[550]">
        <Icon
          size={16}
          aria-label={isWell ? t('health.well') : t('health.attention')}
          className={`flex-none ${isWell ? 'text-pine' : 'text-danger'}`}
        />
        {name}
      </dt>
      <dd className="min-w-0 text-pretty text-soft max-wide:ps-6">{children}</dd>
    </div>
  )
}
