import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listMessages, type Message } from '#contract/messages'
import { call, isRefusal } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { loadFrom } from '../sync/message-queries.ts'

/** Milliseconds. */
const RINGED = 2000

/**
 * The message that a link leads to, or its parent where it is a reply; the window is about it then. Says so where
 * there is none.
 */
export async function findLinked(client: QueryClient, channelId: string, id: string): Promise<Message | undefined> {
  try {
    const { messages } = await loadFrom(client, channelId, { id })
    const here = messages.find((message) => message.id === id)
    if (here) return here
    // A reply stands in its thread; a page about it is one about its parent.
    const [parent] = await call(listMessages, { params: { channelId }, query: { around: id, limit: 1 } })
    return parent && (await loadFrom(client, channelId, { id: parent.id })).messages.find((it) => it.id === parent.id)
  } catch (error) {
    showToast(isRefusal(error) ? 'There is no such message' : logFailure('Failed to load messages', error))
    return undefined
  }
}

/** Names one message for a moment. */
export function useRing() {
  const [ringed, ring] = useState<string>()
  useEffect(() => {
    if (!ringed) return
    const timer = setTimeout(() => ring(undefined), RINGED)
    return () => clearTimeout(timer)
  }, [ringed])
  return { ringed, ring }
}
