import { useQuery } from '@tanstack/react-query'
import { Navigate, useOutletContext } from 'react-router'
import { allChannels, sharedChannels } from '../features/channels/cache/channel-queries.ts'
import { lastChannel } from '../features/channels/cache/last-channel.ts'
import { t } from '../i18n/text.ts'
import { useMe } from '../me.tsx'
import { paths } from '../paths.ts'
import { LoadError } from '../ui/feedback/load-error.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { SkeletonRows } from '../ui/list/skeleton-rows.tsx'
import { type FrameContext, PageHeader } from './page-header.tsx'

/** Redirects to the conversation that was open last, or to #general. */
export function DashboardPage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const { data: all, error, refetch } = useQuery(allChannels)
  const { data: channels } = useQuery(sharedChannels)
  const target =
    all?.[lastChannel(me.id) ?? ''] ??
    channels?.find(({ isGeneral }) => isGeneral) ??
    channels?.find(({ isMember }) => isMember)

  if (target) return <Navigate to={paths.channel(target.id)} replace />
  return (
    <>
      <PageHeader frame={frame} />
      {channels ? (
        <Notice isPage title={t('channels.selectOne')} />
      ) : error ? (
        <LoadError text={t('channels.list.failed')} retry={() => refetch()} />
      ) : (
        <SkeletonRows />
      )}
    </>
  )
}
