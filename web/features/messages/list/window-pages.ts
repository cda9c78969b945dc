import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Message } from '#contract/messages'
import { loadNewer, loadOlder, trimWindow } from '../sync/message-queries.ts'
import type { MessageWindow } from '../sync/message-window.ts'
import { usePages } from './page-loader.tsx'

/** Loads further pages at both ends of a channel's window. */
export function useWindowPages(channelId: string, { hasOlder, hasNewer }: MessageWindow) {
  const client = useQueryClient()
  const older = usePages(
    useCallback(() => loadOlder(client, channelId), [client, channelId]),
    hasOlder,
  )
  const newer = usePages(
    useCallback(() => loadNewer(client, channelId), [client, channelId]),
    hasNewer,
  )
  return { older, newer }
}

/** Drops the oldest messages of the window as new ones arrive, while the user is at the bottom. */
export function useTrimming(channelId: string, messages: readonly Message[], atBottom: boolean) {
  const client = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: trims whenever messages arrive
  useEffect(() => {
    if (atBottom) trimWindow(client, channelId)
  }, [atBottom, client, channelId, messages])
}
