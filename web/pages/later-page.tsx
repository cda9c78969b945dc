import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useOutletContext, useSearchParams } from 'react-router'
import type { LaterItem } from '#contract/later'
import { useTitle } from '../browser/tab-title.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { reminderDialog } from '../features/messages/actions/lazy-parts.ts'
import { DoneLater, OpenLater } from '../features/messages/later/later-list.tsx'
import { t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import { Button } from '../ui/input/button.tsx'
import { Segments } from '../ui/input/segments.tsx'
import { LazyDialog } from '../ui/lazy/lazy-dialog.tsx'
import { type FrameContext, PageHeader } from './page-header.tsx'

/** The messages that I saved for later, and my reminders. Lazy-loaded. */
export default function LaterPage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const { data: channels } = useQuery(allChannels)
  const [params, setParams] = useSearchParams()
  // Here, because a row that becomes due moves.
  const [asking, setAsking] = useState<LaterItem | 'new'>()
  const isDone = params.get('show') === 'done'
  useTitle(t('later.title'))
  const placeOf = (channelId: string) => {
    const channel = channels?.[channelId]
    return channel && { channel, title: titleOf(channel, me.id) }
  }
  return (
    <div className="centers-column flex min-h-0 flex-1 flex-col">
      <PageHeader frame={frame}>
        <h1 className="font-[650] text-head tracking-[-0.01em]">{t('later.title')}</h1>
      </PageHeader>
      <div className="flex min-h-12 conversation-column flex-none items-center gap-2 px-(--gutter) py-2">
        <div className="flex-1">
          <Segments
            legend={t('later.shown')}
            name="later-shown"
            options={[
              { value: 'open', label: t('later.open') },
              { value: 'done', label: t('later.done') },
            ]}
            value={isDone ? 'done' : 'open'}
            onChange={(show) => setParams(show === 'done' ? { show } : {})}
          />
        </div>
        <Button variant="line" onClick={() => setAsking('new')}>
          <Plus size={16} />
          {t('later.newReminder')}
        </Button>
      </div>
      {isDone ? (
        <DoneLater placeOf={placeOf} onRemind={setAsking} />
      ) : (
        <OpenLater placeOf={placeOf} onRemind={setAsking} />
      )}
      {asking && (
        <LazyDialog
          load={reminderDialog}
          item={asking === 'new' ? undefined : asking}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  )
}
