import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { matchPath, useLocation, useNavigate } from 'react-router'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import { paths } from '../../paths.ts'
import { Crash } from '../../ui/feedback/crash.tsx'
import { type FrameContext, PageHeader } from '../page-header.tsx'

/** Keeps the sidebar and the top bar if the open page can't be rendered. Another page is tried as usual. */
export function PageBoundary({ frame, children }: { frame: FrameContext; children: ReactNode }) {
  const { pathname, search } = useLocation()
  const client = useQueryClient()
  return (
    <ErrorBoundary
      resetKeys={[pathname, search]}
      fallbackRender={({ resetErrorBoundary }) => <BrokenPage frame={frame} retry={resetErrorBoundary} />}
      onError={(error) => console.error('Failed to show the page:', error)}
      onReset={({ reason }) => reason === 'imperative-api' && void dropDataOf(pathname, client)}
    >
      {children}
    </ErrorBoundary>
  )
}

/** Drops what only this page shows: its cached data may be the cause. What the sidebar and other channels show stays. */
function dropDataOf(pathname: string, client: QueryClient) {
  const channelId = matchPath(paths.channel(':channelId'), pathname)?.params.channelId?.toLowerCase()
  if (channelId) return client.resetQueries({ queryKey: ['channel', channelId] })
  return client.resetQueries({ type: 'inactive', predicate: (query) => query.queryKey[0] !== 'channel' })
}

interface BrokenProps {
  frame: FrameContext
  retry: () => void
}

function BrokenPage({ frame, retry }: BrokenProps) {
  const { data: channels } = useQuery(sharedChannels)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const general = channels?.find(({ isGeneral }) => isGeneral)
  const path = general && paths.channel(general.id)
  return (
    <>
      <PageHeader frame={frame} isBare />
      <div role="alert" className="flex min-h-0 flex-1">
        <Crash isPage retry={retry} toGeneral={path && path !== pathname ? () => void navigate(path) : undefined} />
      </div>
    </>
  )
}
