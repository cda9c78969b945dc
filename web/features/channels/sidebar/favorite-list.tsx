import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { readItem, saveItem } from '../../../ui/device/local-storage.ts'
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
  const count = sections?.favorites.length
  const key = `parley.favorites.${me.id}`
  useEffect(() => {
    if (count !== undefined) saveItem(key, count > 0 ? String(count) : undefined)
  }, [key, count])
  // As high as last time, so that nothing moves when they have loaded.
  if (count === undefined) return <div style={{ height: heightOf(Number(readItem(key) ?? 0)) }} />
  if (!sections || count === 0) return null
  return (
    <section aria-labelledby="favorites" className="mb-2">
      <ListHead id="favorites" title={t('channels.list.favorites')} />
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

/** The height of the heading, the rows and the space below them. */
const heightOf = (rows: number) => (rows > 0 ? `calc(2.75rem + ${rows} * var(--row))` : undefined)
