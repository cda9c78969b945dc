import { ChevronRight } from 'lucide-react'
import type { PushDelivery, PushDevice } from '#contract/push'
import { type PlainTextId, t } from '../../../i18n/text.ts'
import { useRelativeTime } from '../../../ui/format/relative-time.ts'
import { shortDate } from '../../../ui/format/short-date.ts'
import { Tag } from '../../../ui/tag.tsx'

/** My devices that are notified while Parley is closed, each with what became of the last notifications. */
export function PushDevices({ devices }: { devices: readonly PushDevice[] }) {
  return (
    <>
      <h5 className="mt-5 font-[550] text-ui">{t('push.devices')}</h5>
      <ul>
        {devices.map((device) => (
          <Device key={device.sessionId} device={device} />
        ))}
      </ul>
    </>
  )
}

function Device({ device: its }: { device: PushDevice }) {
  const { device, service, isCurrent, isValid, createdAt, failingSince, deliveries } = its
  return (
    <li className="border-line border-b py-2 last:border-b-0">
      <p className="flex items-center gap-2 text-ui">
        <bdi className="truncate font-[550]" title={device}>
          {device}
        </bdi>
        {isCurrent && <Tag>{t('identity.devices.current')}</Tag>}
      </p>
      <p className="text-meta text-soft">
        {t('push.since', { date: shortDate(createdAt) })}
        {' · '}
        <bdi dir="ltr" className="break-all">
          {service}
        </bdi>
      </p>
      {!isValid && <p className="text-danger text-meta">{t('push.invalid')}</p>}
      {isValid && failingSince && <Failing since={failingSince} />}
      {deliveries.length > 0 && (
        <details className="group mt-1">
          <summary className="-ms-1 flex w-fit cursor-pointer list-none items-center gap-1 rounded-s pe-1 text-meta text-soft hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
            <ChevronRight
              size={14}
              className="transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:scale-x-100"
            />
            {t('push.deliveries')}
          </summary>
          <ol className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-1.5 ps-4">
            {deliveries.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} />
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}

function Failing({ since }: { since: string }) {
  return <p className="text-danger text-meta">{t('push.failingSince', { time: useRelativeTime(since) })}</p>
}

const ruleTexts = {
  direct: 'push.rule.direct',
  mention: 'notifications.reason.mention',
  group: 'notifications.reason.group',
  keyword: 'push.keyword',
  everyone: 'notifications.reason.everyone',
  thread: 'notifications.reason.thread',
  everything: 'notifications.reason.everything',
} as const satisfies Record<NonNullable<PushDelivery['rule']>, PlainTextId>

const outcomeTexts = {
  delivered: 'push.outcome.delivered',
  refused: 'push.outcome.refused',
  failed: 'push.outcome.failed',
  gone: 'push.outcome.gone',
  read: 'push.outcome.read',
  active: 'push.outcome.active',
  quiet: 'push.outcome.quiet',
  obsolete: 'push.outcome.obsolete',
} as const satisfies Record<PushDelivery['outcome'], PlainTextId>

/** Why it notified, or what it was. */
function nameOf({ kind, rule }: PushDelivery) {
  if (rule) return t(ruleTexts[rule])
  return kind === 'test' ? t('push.kindTest') : t('later.notice')
}

function Delivery({ delivery }: { delivery: PushDelivery }) {
  const { outcome, status, detail, finishedAt } = delivery
  const isFailure = outcome === 'refused' || outcome === 'failed' || outcome === 'gone'
  const why = isFailure && [status, detail].filter((part) => part !== null && part !== '').join(' ')
  return (
    <li className="text-meta">
      <p className="flex flex-wrap gap-x-3">
        <span className="min-w-0 flex-1">{nameOf(delivery)}</span>
        <time dateTime={finishedAt} className="text-faint">
          {useRelativeTime(finishedAt)}
        </time>
      </p>
      <p className={isFailure ? 'text-danger' : 'text-soft'}>
        {t(outcomeTexts[outcome])}
        {why && (
          <bdi dir="ltr" className="block wrap-anywhere text-faint">
            {why}
          </bdi>
        )}
      </p>
    </li>
  )
}
