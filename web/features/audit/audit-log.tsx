import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Download, RefreshCw } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { AuditFilters, auditFormats } from '#contract/audit'
import { t } from '../../i18n/text.ts'
import { download } from '../../ui/device/download.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { serverNow } from '../../ui/format/clock.ts'
import { Button } from '../../ui/input/button.tsx'
import { useDebounced } from '../../ui/input/use-debounced.ts'
import { useRoving } from '../../ui/list/roving.ts'
import { ScrollSentinel } from '../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { AuditFilterBar, type ChosenFilters } from './audit-filter-bar.tsx'
import { auditPages } from './audit-queries.ts'
import { AuditRow } from './audit-row.tsx'

const DAY_MS = 24 * 3600 * 1000
const periodDays = { day: 1, week: 7, month: 30 }

/** Who did what, newest first, with filters and downloads. */
export function AuditLog() {
  const [chosen, setChosen] = useState<ChosenFilters>({
    topic: 'all',
    period: 'any',
    person: undefined,
    query: '',
  })
  const change = (changed: Partial<ChosenFilters>) => setChosen((before) => ({ ...before, ...changed }))
  const query = useDebounced(chosen.query.trim())
  const { topic, period, person } = chosen
  const filters = useMemo(
    (): AuditFilters => ({
      ...(topic !== 'all' && { topic }),
      ...(period !== 'any' && { after: new Date(serverNow() - periodDays[period] * DAY_MS).toISOString() }),
      ...(person && { person: person.id }),
      ...(query && { q: query }),
    }),
    [topic, period, person, query],
  )
  const log = useInfiniteQuery({ ...auditPages(filters), placeholderData: keepPreviousData })
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = log
  useEffect(() => {
    if (error) console.error('Failed to load the audit log:', error)
  }, [error])
  const save = (format: (typeof auditFormats)[number]) => {
    const sought = new URLSearchParams({ ...filters, format } as Record<string, string>)
    void download({ url: `/api/audit/download?${sought}`, name: `audit-log.${format}` })
  }
  const list = useRef<HTMLUListElement>(null)
  useRoving(list)
  const entries = data?.pages.flatMap((page) => page.entries)

  return (
    <div className="@container">
      <AuditFilterBar chosen={chosen} onChange={change} />
      <div className="mt-3 mb-1 flex flex-wrap items-center justify-end gap-1">
        <Button isBusy={isFetching} onClick={() => void log.refetch()}>
          <RefreshCw size={16} />
          {t('audit.refresh')}
        </Button>
        <Button onClick={() => save('csv')}>
          <Download size={16} />
          {t('audit.saveCsv')}
        </Button>
        <Button onClick={() => save('jsonl')}>
          <Download size={16} />
          {t('audit.saveJsonl')}
        </Button>
      </div>
      {!entries && error && <LoadError text={t('audit.loadFailed')} retry={() => void log.refetch()} />}
      {!entries && !error && <SkeletonRows />}
      {entries?.length === 0 && !hasNextPage && (
        <p className="px-3 py-10 text-center text-soft text-ui">{t('audit.none')}</p>
      )}
      <ul ref={list} aria-label={t('audit.title')} className="-mx-3">
        {entries?.map((entry) => (
          <AuditRow key={entry.id} entry={entry} onPerson={(about) => change({ person: about })} />
        ))}
      </ul>
      {isFetchNextPageError && <LoadError text={t('audit.loadFailed')} retry={() => fetchNextPage()} isRetried />}
      {entries && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && (
        <ScrollSentinel key={data?.pages.length} onNear={() => void fetchNextPage()} />
      )}
      {isFetchingNextPage && <SkeletonRows />}
    </div>
  )
}
