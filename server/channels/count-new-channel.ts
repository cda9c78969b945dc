import type { Transaction } from 'kysely'
import type { PlainRefusal } from '#contract/errors'
import type { Config } from '../config/config.ts'
import type { DB } from '../db/schema.ts'
import { rateLimited } from '../errors.ts'
import { type AttemptLimit, countAttempt } from '../limits/attempts.ts'

type Kind = 'channels' | 'direct messages'

/** Creation limits per person. `window` is in seconds. */
const RATES: Record<Kind, AttemptLimit & { refusal: PlainRefusal }> = {
  channels: { window: 3600, max: 60, refusal: 'errors.tooManyNewChannels' },
  'direct messages': { window: 3600, max: 200, refusal: 'errors.tooManyNewConversations' },
}

/** Counts within the transaction that creates the channel, so that failed attempts don't count. @throws AppError 429 */
export async function countNewChannel({ rateLimit }: Config, tx: Transaction<DB>, me: string, kind: Kind) {
  if (!rateLimit) return
  const { allowed, retryAfter } = await countAttempt(tx, `new ${kind} of ${me}`, RATES[kind])
  if (!allowed) throw rateLimited(retryAfter, RATES[kind].refusal)
}
