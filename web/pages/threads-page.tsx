import { useQuery } from '@tanstack/react-query'
import { useOutletContext } from 'react-router'
import { useTitle } from '../browser/tab-title.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { MyThreads } from '../features/threads/my-threads.tsx'
import { useMe } from '../me.tsx'
import { type FrameContext, PageHeader } from './page-header.tsx'

/** The threads that I follow. Lazy-loaded. */
export default function ThreadsPage() {
  const me = useMe()
  const frame = useOutletContext<FrameContext>()
  const { data: channels } = useQuery(allChannels)
  useTitle('Threads')
  const nameOf = (channelId: string) => {
    const channel = channels?.[channelId]
    return channel && titleOf(channel, me.id)
  }
  return (
    <>
      <PageHeader frame={frame}>
        <h1 className="font-[650] text-head tracking-[-0.01em]">Threads</h1>
      </PageHeader>
      <MyThreads titleOf={nameOf} />
    </>
  )
}
