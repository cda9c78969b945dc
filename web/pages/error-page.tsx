import { useEffect } from 'react'
import type { FallbackProps } from 'react-error-boundary'
import { queryClient } from '../api-client/api.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { paths } from '../paths.ts'
import { Logo } from '../ui/brand.tsx'
import { confirmBeforeUnload } from '../ui/device/before-leaving.ts'
import { Crash } from '../ui/feedback/crash.tsx'

/** Warns before a reload would lose text that could not be stored, as the page does otherwise. */
function warnOfLostText() {
  let stop: (() => void) | undefined
  let isOver = false
  void import('../features/messages/outbox/draft-list.ts').then(
    ({ hasUnpersisted }) => {
      if (!isOver) stop = confirmBeforeUnload(hasUnpersisted)
    },
    (error) => console.error('Failed to load part of the page:', error),
  )
  return () => {
    isOver = true
    stop?.()
  }
}

/** Shown when rendering something outside of the open page threw an error. */
export function ErrorPage({ resetErrorBoundary }: FallbackProps) {
  const channels = queryClient.getQueryData(allChannels.queryKey) ?? {}
  const general = Object.values(channels).find((channel) => channel?.isGeneral)
  useEffect(warnOfLostText, [])
  // Reloads, because what is broken is around every page.
  const toGeneral = general && (() => location.assign(paths.channel(general.id)))
  return (
    <div className="flex h-full flex-col" role="alert">
      <div className="p-4">
        <Logo size={32} />
      </div>
      <Crash isPage retry={resetErrorBoundary} toGeneral={toGeneral} />
    </div>
  )
}
