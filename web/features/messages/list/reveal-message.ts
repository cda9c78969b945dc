import { type RefObject, useEffect } from 'react'
import type { Message } from '#contract/messages'
import type { AnchoredListHandle } from '../../../ui/list/anchored-list.tsx'
import { registerConversation } from '../outbox/open-conversations.ts'
import { rowKey } from './list-items.ts'

/** Lets other parts of the page scroll to a loaded message of this list. */
export function useRevealMessage(
  channelId: string,
  messages: readonly Message[],
  list: RefObject<AnchoredListHandle | null>,
) {
  useEffect(
    () =>
      registerConversation(channelId, {
        revealMessage: (messageId) => {
          const message = messages.find(({ id }) => id === messageId)
          if (message) list.current?.show({ key: rowKey(message), at: 'nearest' })
        },
      }),
    [channelId, messages, list],
  )
}
