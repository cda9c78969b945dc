import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageIdle } from '../../../api-client/use-page-idle.ts'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { LongList } from '../../../ui/list/long-list.tsx'
import { isWithAssistant, sidebarSections } from '../cache/channel-queries.ts'
import { unreadKinds } from '../cache/unread.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useOpenChannel } from '../menu/use-open-channel.ts'
import { DirectRow } from './direct-row.tsx'
import { ListError } from './list-error.tsx'
import { ListHead } from './list-head.tsx'

const assistantRow = () => import('./assistant-row.tsx')

/** The row of the assistant, loaded once the page is idle. Its space is reserved, so that nothing moves. */
function AssistantSlot() {
  const isPageIdle = usePageIdle()
  const placeholder = <div className="h-(--row)" />
  return isPageIdle ? <Lazy load={assistantRow} waiting={placeholder} isOptional /> : placeholder
}

interface Props {
  /** The button in the heading. */
  add: ReactNode
  renderMark: (channelId: string) => ReactNode
  onAct: (act: ChannelAct, channelId: string) => void
}

/** The sidebar's direct messages, most recent first. */
export function DirectList({ add, renderMark, onAct }: Props) {
  const me = useMe()
  const openId = useOpenChannel()
  const { data: sections, isPending, isLoadingError, refetch } = useQuery(sidebarSections)
  if (isPending) return null
  return (
    <section aria-labelledby="direct-messages" className="mt-2">
      <ListHead id="direct-messages" title={t('channels.list.direct')}>
        {add}
      </ListHead>
      {isLoadingError && <ListError retry={() => void refetch()} />}
      {sections && !Object.values(sections).flat().some(isWithAssistant) && <AssistantSlot />}
      <LongList
        rows={sections?.direct ?? []}
        openId={openId}
        sought={unreadKinds}
        renderRow={(channel) => <DirectRow channel={channel} me={me.id} renderMark={renderMark} onAct={onAct} />}
      />
    </section>
  )
}
