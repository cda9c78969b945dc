import { useQuery } from '@tanstack/react-query'
import { can } from '#contract/can'
import { sharedChannels } from '../../../features/channels/cache/channel-queries.ts'
import { ExportPanel } from '../../../features/exports/export-panel.tsx'
import { useMe } from '../../../me.tsx'

/** Exports of my own data, and of the channels I own. */
export function DataSettings() {
  const me = useMe()
  const { data: channels = [] } = useQuery(sharedChannels)
  return <ExportPanel scope="mine" channels={channels.filter((channel) => can.exportChannel(me, channel))} />
}
