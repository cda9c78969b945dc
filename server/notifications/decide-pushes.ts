import { sql, type Transaction } from 'kysely'
import type { DB } from '../db/schema.ts'
import { startPolling } from '../process/poll.ts'
import { enqueuePushes } from '../push/push-queue.ts'
import type { Services } from '../services.ts'
import { findRecipients, TooManyCandidates, takeCandidates } from './find-recipients.ts'

type Deciding = Pick<Services, 'bounds' | 'db' | 'log' | 'presence' | 'push'>

/** Messages decided about at once; fewer while they mean many people, or the database is slow. */
const BATCH = 50
/** A single message that failed this often in a row is left out, so that those after it are not held up. */
const MAX_FAILURES = 5

/** Queues notifications of new messages, unless another node is doing so. Returns how many messages it looked at. */
async function decide({ db, presence, push }: Deciding, limit: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (!(await mayDecide(tx))) return 0
    const messageIds = await takeCandidates(tx, limit)
    const recipients = await findRecipients(tx, messageIds, push.publicKey)
    const pushes = recipients.map((it) => ({ ...it, isActive: presence.isActive(it.userId) }))
    await enqueuePushes(tx, push.publicKey, pushes)
    return messageIds.length
  })
}

/** One node at a time, so that notifications are in the order of their messages. */
async function mayDecide(tx: Transaction<DB>): Promise<boolean> {
  const lock = sql<{ may: boolean }>`select pg_try_advisory_xact_lock(hashtext('push_candidates')) as may`
  const { rows } = await lock.execute(tx)
  return rows[0]?.may === true
}

/** Decides whom new messages notify on their devices. Returns a function that stops it. */
export function startDeciding(services: Deciding) {
  const { bounds, db, log } = services
  let batch = BATCH
  let failures = 0

  async function decideNext() {
    const size = batch
    batch = Math.max(1, Math.floor(size / 2))
    const count = await decide(services, size)
    batch = Math.min(BATCH, size * 2)
    failures = 0
    return count === size ? 0 : undefined
  }

  /** @throws the error, unless there is something to be done about it */
  async function afterFailure(error: unknown) {
    if (error instanceof TooManyCandidates) return 0
    if (batch > 1 || ++failures < MAX_FAILURES) throw error
    failures = 0
    const [messageId] = await db.transaction().execute((tx) => takeCandidates(tx, 1))
    log.error({ err: error, messageId }, 'a message notifies nobody, because deciding about it fails')
    return 0
  }

  const failure = 'could not decide about notifications'
  return startPolling({ intervalMs: bounds.pushPollMs, log, failure }, () => decideNext().catch(afterFailure))
}

const FORGET_INTERVAL_MS = 600_000

/** Where no node decides, forgets messages that would notify of what is long past. Returns a function that stops it. */
export const startForgetting = ({ db, log }: Pick<Services, 'db' | 'log'>) =>
  startPolling({ intervalMs: FORGET_INTERVAL_MS, log, failure: 'could not forget undecided messages' }, async () => {
    await sql`
      delete from push_candidates where not exists (
        select from messages m where m.id = "messageId" and m."createdAt" > now() - interval '1 hour'
      )`.execute(db)
    return undefined
  })
