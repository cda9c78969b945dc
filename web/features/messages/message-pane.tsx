import { useQuery } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { messagesIn } from './message-queries.ts'

export function MessagePane({ channelId }: { channelId: string; channel: Channel | undefined }) {
  const { data } = useQuery(messagesIn(channelId))
  return <div>{data?.messages.length}</div>
}
