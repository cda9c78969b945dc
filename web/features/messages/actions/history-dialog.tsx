import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { MessageVersion } from '#contract/message-versions'
import { editMessage, type Message } from '#contract/messages'
import { withQuoteLabels } from '#contract/quotes'
import { editReply } from '#contract/threads'
import { call } from '../../../api-client/api.ts'
import { explainFailure, logFailure } from '../../../api-client/failure-text.ts'
import { dateFormat } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LoadError } from '../../../ui/feedback/load-error.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { dueTime } from '../../../ui/format/due-time.ts'
import { Button } from '../../../ui/input/button.tsx'
import { ScrollSentinel } from '../../../ui/list/scroll-sentinel.tsx'
import { SkeletonRows } from '../../../ui/list/skeleton-rows.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { versionPages } from '../sync/version-queries.ts'
import { VersionText } from './version-text.tsx'

interface Props {
  /** As it is now: the list follows further edits. */
  message: Message
  /** Whether I may edit it. */
  canRestore: boolean
  onClose: () => void
}

/** What a message said before it was edited, and what each edit changed. Lazy-loaded. */
export default function HistoryDialog({ onClose, ...rest }: Props) {
  const { hasEditHistory } = useMe()
  return (
    <Dialog title={t('messages.actions.history')} hasList onClose={onClose}>
      {hasEditHistory ? <Versions {...rest} /> : <Notice title={t('messages.history.off')} />}
    </Dialog>
  )
}

function Versions({ message, canRestore }: Omit<Props, 'onClose'>) {
  const pages = useInfiniteQuery({ ...versionPages(message), placeholderData: keepPreviousData })
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = pages
  const restore = useRestore(message)
  const versions = data?.pages.flatMap((page) => page.versions)
  if (!versions && error) return <LoadError text={t('messages.history.failed')} retry={() => void refetch()} />
  if (!versions) return <SkeletonRows />
  const [current] = versions
  // The last one is compared with the first of the next page.
  const shown = hasNextPage ? versions.slice(0, -1) : versions
  return (
    <>
      <ol aria-label={t('messages.actions.history')} className="px-6 pb-6 max-wide:px-(--gutter)">
        {shown.map((version, nth) => (
          <Version
            key={version.number}
            version={version}
            before={versions[nth + 1]}
            isCurrent={version === current}
            isOriginal={version.at === message.createdAt}
            isBusy={restore.isPending}
            problem={restore.variables?.number === version.number ? restore.problem : undefined}
            onRestore={
              canRestore && current && version.content !== current.content
                ? () => restore.mutate({ ...version, over: current })
                : undefined
            }
          />
        ))}
      </ol>
      {!hasNextPage && versions.at(-1)?.at !== message.createdAt && (
        <p className="px-6 pb-6 text-faint text-meta max-wide:px-(--gutter)">{t('messages.history.notKept')}</p>
      )}
      {hasNextPage && !error && (
        <ScrollSentinel key={data?.pages.length} onNear={() => void (isFetching || fetchNextPage())} />
      )}
      {error && <LoadError text={t('messages.history.failed')} retry={() => void refetch()} isRetried />}
    </>
  )
}

/** Restoring is an edit, refused if the message no longer says what the list shows. */
function useRestore({ id, threadId }: Message) {
  const client = useQueryClient()
  const { error, ...mutation } = useMutation({
    networkMode: 'always',
    mutationFn: ({ content, over }: MessageVersion & { over: MessageVersion }) => {
      const input = { params: { messageId: id }, body: { content, editedAt: over.at } }
      return threadId ? call(editReply, input) : call(editMessage, input)
    },
    onSuccess: (saved) => {
      insertSent(client, saved)
      showToast(t('messages.history.restored'))
    },
    onError: (failure) => logFailure(t('messages.history.restoreFailed'), failure),
  })
  return { ...mutation, problem: error ? explainFailure(t('messages.history.restoreFailed'), error) : undefined }
}

/** Several edits within a minute are usual. */
const preciseTime = (time: string) => dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(time))

interface VersionProps {
  version: MessageVersion
  /** Undefined for the first that was kept. */
  before: MessageVersion | undefined
  isCurrent: boolean
  isOriginal: boolean
  isBusy: boolean
  problem: string | undefined
  onRestore: (() => void) | undefined
}

function Version({ version, before, isCurrent, isOriginal, isBusy, problem, onRestore }: VersionProps) {
  const { content, at } = version
  const isGap = before !== undefined && version.number - before.number > 1
  return (
    <li className="border-line border-t py-3 first:border-t-0 first:pt-0 last:pb-0">
      <div className="flex min-h-8 items-center gap-2">
        <time dateTime={at} title={wholeTime(at)} className="text-meta text-soft tabular-nums">
          {dueTime(at)}
        </time>
        {isCurrent && <Tag>{t('messages.history.current')}</Tag>}
        {isOriginal && <Tag>{t('messages.history.first')}</Tag>}
        {onRestore && (
          <Button
            isBusy={isBusy}
            className="ms-auto -me-3 pointer-coarse:-my-1.5"
            aria-label={t('messages.history.restoreFrom', { time: preciseTime(at) })}
            onClick={onRestore}
          >
            {t('messages.history.restore')}
          </Button>
        )}
      </div>
      <VersionText
        content={withQuoteLabels(content)}
        before={before && !isGap ? withQuoteLabels(before.content) : undefined}
      />
      {isGap && <p className="mt-1.5 text-faint text-meta">{t('messages.history.notKept')}</p>}
      {problem && (
        <p role="alert" className="mt-1.5 text-danger text-meta">
          {problem}
        </p>
      )}
    </li>
  )
}
