import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { Message } from '#contract/messages'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import type { AnchoredListHandle } from '../../../ui/list/anchored-list.tsx'
import { useHighlightedMessage } from '../list/linked-message.ts'
import { rowKey } from '../list/list-items.ts'
import { loadOlder, messagesIn } from '../sync/message-queries.ts'

/** At most this many pages are loaded to find a linked reply. */
const MAX_PAGES = 40

/** Scrolls a thread to the reply that the URL names, once. Returns the id of the reply to highlight for a moment. */
export function useLinkedReply({ channelId, id: threadId }: Message, list: RefObject<AnchoredListHandle | null>) {
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const linked = params.get('reply')?.toLowerCase()
  const { highlighted, highlight } = useHighlightedMessage()

  const follow = useEffectEvent(async (id: string, isCurrent: () => boolean) => {
    const found = await findReply(client, { channelId, threadId, id }).catch((error) => {
      showToast(logFailure(t('messages.failed.load'), error))
      return undefined
    })
    if (!isCurrent()) return
    if (found) list.current?.show({ key: rowKey(found), at: 'middle' })
    highlight(found?.id)
    setParams(
      (now) => {
        now.delete('reply')
        return now
      },
      { replace: true },
    )
  })
  useEffect(() => {
    if (!linked) return
    let isCurrent = true
    void follow(linked, () => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [linked])
  return highlighted
}

/** Loads older replies until it finds one; undefined if the thread doesn't have it. */
async function findReply(
  client: QueryClient,
  { channelId, threadId, id }: Record<'channelId' | 'threadId' | 'id', string>,
) {
  for (let page = 0; page < MAX_PAGES; page++) {
    const held = client.getQueryData(messagesIn(channelId, threadId).queryKey)
    const found = held?.messages.find((reply) => reply.id === id)
    if (found || !held?.hasOlder) return found
    await loadOlder(client, channelId, threadId)
  }
  return undefined
}
