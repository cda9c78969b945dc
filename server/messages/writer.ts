import { sql, type Transaction } from 'kysely'
import { changeBy } from '../channels/revision.ts'
import type { Database } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { type AppError, unavailable } from '../errors.ts'
import { type Bounds, bounds } from '../limits/bounds.ts'
import type { Logger } from '../process/logger.ts'
import type { Removals } from '../realtime/removals.ts'
import type { ChannelWriter } from '../services.ts'
import { createChannelQueues } from './channel-queues.ts'
import { createGroupCommit, type Send } from './group-commit.ts'
import type { MessageRow } from './message-rows.ts'
import {
  type NewMessage,
  resultOf,
  type SendOutcome,
  type SendResult,
  type StoredMessage,
  storeMessages,
} from './store-messages.ts'

const TOO_MANY_WAIT = 'too many messages and changes wait'

/**
 * The only way to increment the `rev` of an existing channel on this node. Changes to a channel are serialized, and each is
 * published before the next one starts.
 */
export interface Writer extends ChannelWriter {
  /** @throws AppError 403, 404, 409; 503 if the outcome is unknown: send it again with the same key. */
  send(message: NewMessage): Promise<SendResult>
  /** The number of queued sends and changes. */
  waiting(): number
}

interface Options extends Database {
  log: Logger
  max?: Bounds['pendingWrites']
  /** Publishes stored messages, which are in the order of their revisions. */
  publish: (messages: MessageRow[]) => Promise<void>
  removals: Pick<Removals, 'note'>
}

interface Change {
  kind: 'change'
  expiresAt: number
  run: () => Promise<void>
  reject: (error: AppError) => void
}

const MAX_CHANGES = 6
/** Shorter than the deadline of a request, so that nothing is written after its caller received a failure. */
const EXPIRY_MS = 4_000

export function createWriter({ db, pool, log, publish, removals, max = bounds.pendingWrites }: Options): Writer {
  const queues = createChannelQueues<Send | Change>(startWork)
  const startGroups = createGroupCommit({
    queues,
    store: (messages, waitsForLocks) => storeMessages({ db, pool }, log, messages, waitsForLocks),
    publish: publishStored,
  })
  let waitingCharacters = 0
  let changes = 0

  function startWork() {
    startGroups()
    while (changes < MAX_CHANGES && startChange());
  }

  /** Starts the first change whose channel is unlocked. Returns false if there is none. */
  function startChange(): boolean {
    for (const [channelId, [head]] of queues.unlocked()) {
      if (head?.kind !== 'change') continue
      queues.dequeue(channelId)
      queues.lock(channelId)
      void runChange(channelId, head)
      return true
    }
    return false
  }

  async function runChange(channelId: string, change: Change) {
    if (change.expiresAt <= performance.now()) change.reject(unavailable('the change waited too long'))
    else {
      changes++
      await change.run()
      changes--
    }
    queues.unlock(channelId)
  }

  async function publishStored(stored: StoredMessage[]) {
    for (const { message, lastRemoval } of stored) removals.note(message.channelId, message.rev, lastRemoval)
    const messages = stored.map(({ message }) => message)
    await publish(messages).catch((error) => log.error({ err: error }, 'stored messages could not be published'))
  }

  function send(message: NewMessage) {
    const { length } = message.content
    if (queues.waiting() >= max.count || waitingCharacters + length > max.characters)
      return Promise.reject(unavailable(TOO_MANY_WAIT))
    waitingCharacters += length
    const { promise, resolve } = Promise.withResolvers<SendOutcome>()
    const settle: Send['settle'] = (outcome) => {
      waitingCharacters -= length
      resolve(outcome)
    }
    queues.enqueue(message.channelId, { kind: 'send', message, expiresAt: performance.now() + EXPIRY_MS, settle })
    return promise.then(resultOf)
  }

  function change<T>(
    channelId: string,
    act: (tx: Transaction<DB>) => Promise<T>,
    publishChange: (result: T) => unknown,
  ) {
    if (queues.waiting() >= max.count) return Promise.reject(unavailable(TOO_MANY_WAIT))
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async () => {
      try {
        const { result, done } = await db.transaction().execute(async (tx) => {
          await sql`set local lock_timeout = '1s'`.execute(tx)
          return { result: await act(tx), done: changeBy(tx) }
        })
        if (done) removals.note(channelId, done.rev, done.lastRemoval)
        try {
          await publishChange(result)
        } catch (error) {
          // The change is committed, and the heartbeat will publish the channel's revision.
          log.error({ err: error }, 'a change could not be published')
        }
        resolve(result)
      } catch (error) {
        reject(error)
      }
    }
    queues.enqueue(channelId, { kind: 'change', expiresAt: performance.now() + EXPIRY_MS, run, reject })
    return promise
  }

  return { send, change, isBusy: queues.isBusy, waiting: queues.waiting }
}
