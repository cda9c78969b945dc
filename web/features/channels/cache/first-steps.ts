import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Message } from '#contract/messages'
import { getFirstSteps } from '#contract/welcome'
import { call } from '../../../api-client/api.ts'
import { patch } from '../../../cache/patch-query.ts'
import { cachedChannel } from './channel-cache.ts'

/** The newcomer's first steps that I had done when the page was loaded. The page tracks later ones itself. */
export const firstSteps = queryOptions({
  queryKey: ['first-steps'] as const,
  queryFn: () => call(getFirstSteps, {}),
  staleTime: 'static',
  gcTime: Number.POSITIVE_INFINITY,
  meta: { isAskedOnce: true },
})

/** Ticks off the first message or reply in #general. */
export function applyFirstMessage(client: QueryClient, { channelId, userId, clientId }: Message, me: string) {
  if (userId !== me || clientId === null || !cachedChannel(client, channelId)?.isGeneral) return
  noteFirstMessage(client)
}

export const noteFirstMessage = (client: QueryClient) =>
  patch(client, firstSteps.queryKey, (held) => (held.hasWritten ? held : { ...held, hasWritten: true }))
