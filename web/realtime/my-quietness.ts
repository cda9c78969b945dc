import type { QueryClient } from '@tanstack/react-query'
import { myAvailability } from '../features/users/availability-queries.ts'
import { serverNow } from '../ui/format/clock.ts'

/** Events keep it current. */
const kept = { ...myAvailability, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }

/**
 * Whether I don't want to be notified now: by do not disturb, whatever others see. If that is unknown, I do.
 * @param spreadMs how long a request may wait at random, where many people would send one at the same time
 */
export async function amQuiet(client: QueryClient, spreadMs = 0): Promise<boolean> {
  const state = client.getQueryState(kept.queryKey)
  if (spreadMs > 0 && (state?.data === undefined || state.isInvalidated))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * spreadMs))
  try {
    await client.fetchQuery({ ...kept, retry: false, networkMode: 'always' })
  } catch (error) {
    console.error('Failed to load my availability:', error)
  }
  return Date.parse(client.getQueryData(kept.queryKey)?.quietUntil ?? '') > serverNow()
}
