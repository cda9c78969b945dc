import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMe } from '../../../me.tsx'
import { LongList } from '../../../ui/list/long-list.tsx'
import { sidebarSections } from '../cache/channel-queries.ts'
import { unreadKinds } from '../cache/unread.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useOpenChannel } from '../menu/use-open-channel.ts'
import { ChannelRow } from './channel-row.tsx'
import { DirectRow } from './direct-row.tsx'
import { ListHead } from './list-head.tsx'

interface Props {
  renderMark: (channelId: string) => ReactNode
  onAct: (act: ChannelAct, channelId: string) => void
}

/** My favorite channels and direct messages, if I have any. */
export function FavoriteList(props: Props) {
  const me = useMe()
  const openId = useOpenChannel()
  const { data: sections } = useQuery(sidebarSections)
  if (!sections || sections.favorites.length === 0) return null
  return (
    <section aria-labelledby="favorites" className="mb-2">
      <ListHead id="favorites" title="FAVORITES" />
      <LongList
        rows={sections.favorites}
        openId={openId}
        sought={unreadKinds}
        renderRow={(channel) =>
          channel.kind === 'direct' ? (
            <DirectRow channel={channel} me={me.id} {...props} />
          ) : (
            <ChannelRow channel={channel} {...props} />
          )
        }
      />
    </section>
  )
}
