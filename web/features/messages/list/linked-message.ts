import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listMessages, type Message } from '#contract/messages'
import { call, isRefusal } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { loadFrom } from '../sync/message-queries.ts'

const HIGHLIGHT_MS = 2000

/** Loads the message that a link leads to or, for a reply, its parent. Shows a toast if it does not exist. */
export async function findLinked(client: QueryClient, channelId: string, id: string): Promise<Message | undefined> {
  try {
    const { messages } = await loadFrom(client, channelId, { id })
    const linked = messages.find((message) => message.id === id)
    if (linked) return linked
    // A channel has no replies: the page around a reply is the one around its parent.
    const [parent] = await call(listMessages, { params: { channelId }, query: { around: id, limit: 1 } })
    return (
      parent &&
      (await loadFrom(client, channelId, { id: parent.id })).messages.find((message) => message.id === parent.id)
    )
  } catch (error) {
    showToast(isRefusal(error) ? t('messages.list.notFound') : logFailure(t('messages.failed.load'), error))
    return undefined
  }
}

/** The id of the message to highlight for a moment. */
export function useHighlightedMessage() {
  const [highlighted, highlight] = useState<string>()
  useEffect(() => {
    if (!highlighted) return
    const timer = setTimeout(() => highlight(undefined), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [highlighted])
  return { highlighted, highlight }
}
