import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { DialogButton } from '../../../ui/dialog/dialog-button.tsx'
import { LongList } from '../../../ui/list/long-list.tsx'
import { sidebarSections } from '../cache/channel-queries.ts'
import { unreadKinds } from '../cache/unread.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useOpenChannel } from '../menu/use-open-channel.ts'
import { ChannelRow } from './channel-row.tsx'
import { ListError } from './list-error.tsx'
import { ListHead } from './list-head.tsx'

interface Props {
  /** Renders a mark in place of the count, such as the pencil of a draft. */
  renderMark: (channelId: string) => ReactNode
  onAct: (act: ChannelAct, channelId: string) => void
}

/** The sidebar's channels, with a button to create one. */
export function ChannelList(props: Props) {
  return (
    <section aria-labelledby="channels">
      <ListHead id="channels" title="CHANNELS">
        <DialogButton
          name="Create channel"
          className="h-6 w-6"
          load={() => import('../dialogs/create-channel-dialog.tsx')}
        >
          <Plus size={16} />
        </DialogButton>
      </ListHead>
      <Channels {...props} />
    </section>
  )
}

function Channels({ renderMark, onAct }: Props) {
  const openId = useOpenChannel()
  const { data: sections, error, refetch } = useQuery(sidebarSections)
  useEffect(() => {
    if (error) console.error('Failed to load channels:', error)
  }, [error])

  if (!sections && error) return <ListError retry={() => void refetch()} />
  if (!sections) return <p className="px-2 py-1 text-faint">Fetching channels...</p>
  return (
    <LongList
      rows={sections.channels}
      openId={openId}
      sought={unreadKinds}
      renderRow={(channel) => <ChannelRow channel={channel} renderMark={renderMark} onAct={onAct} />}
    />
  )
}
