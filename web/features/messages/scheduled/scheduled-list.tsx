import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import { t } from '../../../i18n/text.ts'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { scheduleDialog } from '../actions/lazy-parts.ts'
import { reschedule } from '../actions/scheduled-actions.ts'
import { openEdits, watchEdits } from '../actions/scheduled-edits.ts'
import { myScheduled } from '../sync/scheduled-queries.ts'
import { ScheduledRow } from './scheduled-row.tsx'

interface Props {
  /** A conversation's title; null if it is gone for me, undefined if that is unknown. */
  titleOf: (channelId: string) => string | null | undefined
}

/** My scheduled messages; first those that could not be sent. */
export function ScheduledList({ titleOf }: Props) {
  useOpenEdits()
  const { data: items, error, refetch } = useQuery(myScheduled)
  // Here, because a row moves when its time changes.
  const [asking, setAsking] = useState<ScheduledMessage>()
  if (!items && error) return <LoadError text={t('scheduled.loadFailed')} retry={() => void refetch()} />
  if (!items) return <SkeletonRows />
  // What is being edited stays when its message is sent.
  const gone = openEdits().flatMap(({ item }) => (items.some(({ id }) => id === item.id) ? [] : [item]))
  const listed = [...gone, ...items]
  const rows = { titleOf, onReschedule: setAsking }
  const failed = listed.filter(({ failure }) => failure)
  const waiting = listed.filter(({ failure }) => !failure)
  return (
    // Stays when the last one is cancelled, and then has the focus.
    <section
      aria-label={t('scheduled.title')}
      data-region=""
      tabIndex={-1}
      className={`flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-(--gutter) pb-4 outline-none ${listed.length > 0 ? '*:ms-(--side)' : ''}`}
    >
      {listed.length === 0 && <Notice title={t('scheduled.none')}>{t('scheduled.noneText')}</Notice>}
      <Group title={t('scheduled.notSent')} items={failed} isTitled {...rows} />
      <Group title={t('scheduled.toBeSent')} items={waiting} isTitled={failed.length > 0} {...rows} />
      {asking && (
        <LazyDialog
          load={scheduleDialog}
          title={t('scheduled.changeTime')}
          sendAt={asking.sendAt}
          onSchedule={(sendAt: string) => reschedule(asking, sendAt)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  )
}

/** Renders again when an editor opens or closes. */
const useOpenEdits = () =>
  useSyncExternalStore(watchEdits, () =>
    openEdits()
      .map(({ item }) => item.id)
      .join(),
  )

interface GroupProps extends Props {
  title: string
  items: readonly ScheduledMessage[]
  isTitled: boolean
  onReschedule: (item: ScheduledMessage) => void
}

function Group({ title, items, isTitled, ...rows }: GroupProps) {
  if (items.length === 0) return null
  return (
    <section aria-label={title} className="mb-6">
      <h2 className={isTitled ? 'mb-2 font-[600] text-soft text-ui' : 'sr-only'}>{title}</h2>
      <ul className="flex max-w-[860px] flex-col gap-2 text-start">
        {items.map((item) => (
          <ScheduledRow key={item.id} item={item} {...rows} />
        ))}
      </ul>
    </section>
  )
}
