import { useCallback, useState } from 'react'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import type { ChannelDialogRequest } from './channel-dialog.tsx'

const channelDialog = () => import('./channel-dialog.tsx')

/** The dialogs of channels: how to open one, and the one that is open. */
export function useChannelDialogs() {
  const [asked, setAsked] = useState<ChannelDialogRequest>()
  const open = useCallback((act: ChannelAct, channelId: string) => setAsked({ act, channelId }), [])
  const shown = asked && (
    <LazyDialog key={asked.channelId + asked.act} load={channelDialog} {...asked} onClose={() => setAsked(undefined)} />
  )
  return { open, shown }
}
