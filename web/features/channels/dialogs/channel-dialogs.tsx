import { useCallback, useState } from 'react'
import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import type { ChannelDialogRequest } from './channel-dialog.tsx'

const channelDialog = () => import('./channel-dialog.tsx')

/** Which dialog of which channel is open, for `ChannelDialogs`. */
export function useChannelDialogs() {
  const [request, setRequest] = useState<ChannelDialogRequest>()
  const open = useCallback((act: ChannelAct, channelId: string) => setRequest({ act, channelId }), [])
  const close = useCallback(() => setRequest(undefined), [])
  return { request, open, close }
}

/** The open dialog of a channel, if any. */
export function ChannelDialogs({ request, close }: Omit<ReturnType<typeof useChannelDialogs>, 'open'>) {
  if (!request) return null
  const { act, channelId } = request
  return <LazyDialog key={channelId + act} load={channelDialog} act={act} channelId={channelId} onClose={close} />
}
