import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { can } from '#contract/can'
import { closeReport, listReports, type Report } from '#contract/moderation'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { rich, t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { shownName } from '../../people/shown-name.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { shortDate } from '../../ui/format/short-date.ts'
import { Button } from '../../ui/input/button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'

const openReports = queryOptions({
  queryKey: ['reports'] as const,
  queryFn: () => call(listReports, {}),
  staleTime: 0,
})

/** The open reports, oldest first, until they are dismissed or their messages deleted. */
export function ReportList() {
  const client = useQueryClient()
  const { data: reports, error, refetch } = useQuery(openReports)
  const closing = useMutation({
    mutationFn: ({ id, deletesMessage }: { id: string; deletesMessage: boolean }) =>
      call(closeReport, { params: { reportId: id }, body: { deletesMessage } }),
    onError: (failure) => console.error('Failed to close report:', failure),
    onSettled: () => client.invalidateQueries({ queryKey: openReports.queryKey }),
  })
  useEffect(() => {
    if (error) console.error('Failed to load reports:', error)
  }, [error])
  if (!reports && error) return <LoadError text={t('reports.loadFailed')} retry={() => void refetch()} />
  if (!reports) return <SkeletonRows />
  return (
    <>
      {closing.error && (
        <p role="alert" className="mb-2 text-danger text-ui">
          {explainFailure(t('reports.closeFailed'), closing.error)}
        </p>
      )}
      {reports.length === 0 && <p className="py-4 text-soft text-ui">{t('reports.none')}</p>}
      <ul aria-label={t('reports.title')}>
        {reports.map((report) => (
          <ReportRow
            key={report.id}
            report={report}
            isBusy={closing.isPending}
            onClose={(deletesMessage) => closing.mutate({ id: report.id, deletesMessage })}
          />
        ))}
      </ul>
    </>
  )
}

interface RowProps {
  report: Report
  isBusy: boolean
  onClose: (deletesMessage: boolean) => void
}

function ReportRow({ report, isBusy, onClose }: RowProps) {
  const me = useMe()
  const { author, reporter, content, reason, createdAt, channel, messageId, threadId, isDeleted } = report
  return (
    <li className="border-line border-t py-4 text-ui first:border-t-0 first:pt-0">
      <p className="text-soft">
        {rich('reports.line', {
          reporter: <bdi className="font-[600] text-ink">{shownName(reporter.name)}</bdi>,
          author: <bdi className="font-[600] text-ink">{shownName(author.name)}</bdi>,
          date: shortDate(createdAt),
        })}
      </p>
      <blockquote
        dir="auto"
        className="my-2 max-h-40 overflow-y-auto whitespace-pre-wrap rounded-m bg-sunk px-3 py-2 [overflow-wrap:anywhere]"
      >
        {content || t('reports.onlyFiles')}
      </blockquote>
      {reason && <p className="mb-2 text-soft">{t('reports.reason', { reason })}</p>}
      <p className="flex flex-wrap items-center gap-x-2 gap-y-2">
        {channel ? (
          <Link
            to={`${paths.channel(channel.id)}?message=${messageId}${threadId ? `&thread=${threadId}` : ''}`}
            className="me-auto rounded-s text-pine hover:underline"
          >
            {t('reports.show')}
          </Link>
        ) : (
          <span className="me-auto text-faint">{t('reports.elsewhere')}</span>
        )}
        <Button variant="line" disabled={isBusy} onClick={() => onClose(false)}>
          {t('reports.dismiss')}
        </Button>
        {!isDeleted && can.moderate(me) && (
          <Button variant="danger" disabled={isBusy} onClick={() => onClose(true)}>
            {t('reports.delete')}
          </Button>
        )}
      </p>
    </li>
  )
}
