import { useQuery } from '@tanstack/react-query'
import { useOutletContext, useSearchParams } from 'react-router'
import type { Channel } from '#contract/channels'
import { useTitle } from '../browser/tab-title.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { type UnsentItem, useUnsent } from '../features/messages/outbox/draft-list.ts'
import { UnsentList } from '../features/messages/outbox/unsent-list.tsx'
import { ScheduledList } from '../features/messages/scheduled/scheduled-list.tsx'
import { t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Segments } from '../ui/input/segments.tsx'
import { SkeletonRows } from '../ui/list/skeleton-rows.tsx'
import { type FrameContext, PageHeader } from './page-header.tsx'

/** Messages that I wrote on this device and did not send, and those that are sent at a time. Lazy-loaded. */
export default function DraftsPage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const { data: channels, failureReason } = useQuery(allChannels)
  const [params, setParams] = useSearchParams()
  const isScheduled = params.get('show') === 'scheduled'
  useTitle(isScheduled ? t('scheduled.title') : t('drafts.title'))
  const titleIn = (channelId: string) => {
    const channel = channels?.[channelId]
    return channel && titleOf(channel, me.id)
  }
  return (
    <div className="centers-column flex min-h-0 flex-1 flex-col">
      <PageHeader frame={frame}>
        <h1 className="font-[650] text-head tracking-[-0.01em]">{t('drafts.title')}</h1>
      </PageHeader>
      <div className="flex min-h-12 conversation-column flex-none items-center px-(--gutter) py-2">
        <Segments
          legend={t('drafts.shown')}
          name="drafts-shown"
          options={[
            { value: 'drafts', label: t('drafts.title') },
            { value: 'scheduled', label: t('scheduled.title') },
          ]}
          value={isScheduled ? 'scheduled' : 'drafts'}
          onChange={(show) => setParams(show === 'scheduled' ? { show } : {})}
        />
      </div>
      {!channels && !failureReason ? (
        <SkeletonRows />
      ) : isScheduled ? (
        <ScheduledList titleOf={(channelId) => titleIn(channelId) ?? (channels ? null : undefined)} />
      ) : (
        <Drafts channels={channels} titleOf={titleIn} />
      )}
    </div>
  )
}

interface DraftsProps {
  /** Undefined if they could not be loaded. */
  channels: Record<string, Channel> | undefined
  titleOf: (channelId: string) => string | undefined
}

/** Drafts, first those whose conversation is gone. */
function Drafts({ channels, titleOf }: DraftsProps) {
  const unsent = useUnsent()
  // Without the list of channels it is unknown which conversations are gone.
  const isLost = ({ channelId, kind }: UnsentItem) => kind === 'failed' || (channels && !channels[channelId])
  const [lost, others] = [unsent.filter(isLost), unsent.filter((item) => !isLost(item))]
  return (
    // Stays when the last one is discarded, and then has the focus.
    <section
      aria-label={t('drafts.title')}
      data-region=""
      tabIndex={-1}
      className={`flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-(--gutter) pb-4 outline-none ${unsent.length > 0 ? '*:ms-(--side)' : ''}`}
    >
      {unsent.length === 0 && <Notice title={t('drafts.none')}>{t('drafts.noneHint')}</Notice>}
      <Group title={t('drafts.fromDeleted')} items={lost} titleOf={titleOf} isTitled />
      <Group title={t('drafts.notSentYet')} items={others} titleOf={titleOf} isTitled={lost.length > 0} />
    </section>
  )
}

interface GroupProps {
  title: string
  items: readonly UnsentItem[]
  titleOf: (channelId: string) => string | undefined
  /** Whether the title is visible: where there is only one group, the page's is enough. */
  isTitled: boolean
}

function Group({ title, items, titleOf, isTitled }: GroupProps) {
  if (items.length === 0) return null
  return (
    <section aria-label={title} className="mb-6">
      <h2 className={isTitled ? 'mb-2 font-[600] text-soft text-ui' : 'sr-only'}>{title}</h2>
      <UnsentList label={title} items={items} titleOf={titleOf} />
    </section>
  )
}
