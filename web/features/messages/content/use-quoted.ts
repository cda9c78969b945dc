import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { MessagePlace } from '#contract/quotes'
import { heldMessage, quotedMessage } from '../sync/quoted-messages.ts'

/** A quoted message: undefined while it loads, null if I cannot read it or it is gone. In the open channel it is often loaded. */
export function useQuoted({ channelId, messageId }: MessagePlace) {
  const client = useQueryClient()
  const { channelId: here } = useParams()
  const { data: message, isError } = useQuery({
    ...quotedMessage(messageId),
    placeholderData: () => (channelId === here ? heldMessage(client, channelId, messageId) : undefined),
  })
  return { message, hasFailed: isError && message === undefined }
}
