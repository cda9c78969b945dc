import { sql, type Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, isUnavailable } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { type AppError, unavailable } from '../errors.ts'
import { type Bounds, bounds } from '../limits/bounds.ts'
import type { Logger } from '../process/logger.ts'
import { type Draft, type Outcome, sendGroup } from './group-commit.ts'
import type { MessageRow } from './message-rows.ts'

export interface Written {
  message: MessageRow
  /** Whether this call stored it; a repeat of its key did not. */
  isNew: boolean
}

/**
 * The one way by which the `rev` of a channel that exists moves on this node: one thing at a time per channel, and what
 * happened is told before the next begins. Sends are committed in groups: while some are being written the next gather,
 * over all channels; nothing waits on a timer.
 */
export interface Writer {
  /** @throws AppError 403, 404, 409; or 503 where it is not known whether it was stored: a repeat of the key tells. */
  send(draft: Draft): Promise<Written>
  /** Runs a transaction that moves a channel's `rev`, then `tell`, at its place in the channel's queue. */
  change<T>(channelId: string, act: (tx: Transaction<DB>) => Promise<T>, tell: (done: T) => unknown): Promise<T>
  /** Whether something of a channel is under way or waits: it is perhaps committed and not told yet. */
  isBusy(channelId: string): boolean
  /** Things waiting for their turn. */
  waiting(): number
}

interface Options extends Database {
  log: Logger
  /** What may wait at the most. */
  most?: Bounds['written']
  /** Tells what was stored, in the order of its revs. */
  tell: (messages: MessageRow[]) => Promise<void>
  /** Puts out who may not hear a channel: called before something is told there, after a change that was given up. */
  check?: (channelId: string) => Promise<void>
}

interface Send {
  draft: Draft
  since: number
  settle: (outcome: Exclude<Outcome, 'busy'>) => void
}
interface Change {
  since: number
  run: () => Promise<void>
  reject: (error: AppError) => void
}

/** Groups, and other changes, being written at once; rows and characters in a group. */
const GROUPS = 2
const CHANGES = 6
const ROWS = 1000
const CHARACTERS = 1_000_000
/** Channels held by somebody else that are waited for at once. */
const WAITS = 4
/** Channels that are remembered because a change of theirs was given up. */
const DOUBTS = 10_000
/** Milliseconds after which whoever asked was told that it did not work. */
const STALE = 4_000

export function createWriter({ db, pool, log, tell, check = async () => {}, most = bounds.written }: Options): Writer {
  const queues = new Map<string, (Send | Change)[]>()
  const busy = new Set<string>()
  /** Channels in which a change was given up: it may have landed since, and nobody was put out by it. */
  const doubtful = new LRUCache<string, true>({ max: DOUBTS })
  let waiting = 0
  let charactersWaiting = 0
  let groups = 0
  let waits = 0
  let changes = 0
  let scheduled = false

  function enqueue(channelId: string, item: Send | Change) {
    const queue = queues.get(channelId)
    if (queue) queue.push(item)
    else queues.set(channelId, [item])
    waiting++
    schedule()
  }

  /** Begins when all that has arrived by now was read, so that it goes together. */
  function schedule() {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      while (groups < GROUPS && startGroup());
      while (changes < CHANGES && startChange());
    })
  }

  /** Writes the sends at the heads of all free queues; false where there are none. */
  function startGroup(): boolean {
    const channels = new Set<string>()
    const sends: Send[] = []
    const keys = new Set<string>()
    let characters = 0
    const isFull = () => sends.length === ROWS || characters > CHARACTERS
    for (const [channelId, queue] of queues) {
      if (isFull()) break
      if (busy.has(channelId)) continue
      for (let next = queue[0]; next && 'draft' in next; next = queue[0]) {
        const { userId, clientId, content } = next.draft
        const key = `${userId} ${clientId}`
        // A repeat goes after the first one has gone, and finds it stored.
        if (clientId !== null && keys.has(key)) break
        if (isFull()) break
        keys.add(key)
        characters += content.length
        sends.push(next)
        channels.add(channelId)
        take(channelId, queue)
      }
    }
    if (sends.length === 0) return false
    groups++
    for (const channelId of channels) {
      busy.add(channelId)
      letOthersFirst(channelId)
    }
    void write(sends, false).then((held) => {
      groups--
      for (const channelId of channels) if (!held.has(channelId)) busy.delete(channelId)
      schedule()
    })
    return true
  }

  /** Begins the first other change whose queue is free; false where there is none. */
  function startChange(): boolean {
    for (const [channelId, queue] of queues) {
      const [head] = queue
      if (busy.has(channelId) || !head || !('run' in head)) continue
      take(channelId, queue)
      letOthersFirst(channelId)
      if (!isCurrent(head)) {
        head.reject(unavailable())
        return true
      }
      changes++
      busy.add(channelId)
      void head.run().then(() => {
        changes--
        busy.delete(channelId)
        schedule()
      })
      return true
    }
    return false
  }

  /** Who had a turn comes last: a queue that is never empty must not keep the others waiting. */
  function letOthersFirst(channelId: string) {
    const queue = queues.get(channelId)
    if (!queue) return
    queues.delete(channelId)
    queues.set(channelId, queue)
  }

  function take(channelId: string, queue: (Send | Change)[]) {
    queue.shift()
    waiting--
    if (queue.length === 0) queues.delete(channelId)
  }

  /** Answers the channels that stay busy, because somebody else holds them and they are waited for aside. */
  async function write(sends: Send[], wait: boolean): Promise<Set<string>> {
    const [current, stale] = [sends.filter(isCurrent), sends.filter((send) => !isCurrent(send))]
    for (const send of stale) send.settle({ refused: unavailable() })
    if (current.length === 0) return new Set()
    const outcomes = await sendGroup(
      { db, pool },
      log,
      current.map(({ draft }) => draft),
      wait,
    )
    const stored = outcomes.flatMap((outcome) => (isNew(outcome) ? [outcome.message] : []))
    if (stored.length > 0) await checkDoubtful(stored)
    if (stored.length > 0)
      await tell(stored).catch((error) => log.error({ err: error }, 'stored messages could not be told'))
    const held = new Map<string, Send[]>()
    for (const [i, send] of current.entries()) {
      const outcome = outcomes[i] as Outcome
      if (outcome !== 'busy') send.settle(outcome)
      else held.set(send.draft.channelId, [...(held.get(send.draft.channelId) ?? []), send])
    }
    for (const [channelId, those] of held) if (!waitFor(channelId, those)) held.delete(channelId)
    return new Set(held.keys())
  }

  /** What was stored had locked its channel: what was given up before has landed by now, or never will. */
  async function checkDoubtful(stored: MessageRow[]) {
    for (const channelId of new Set(stored.map((message) => message.channelId)))
      if (doubtful.delete(channelId)) await check(channelId)
  }

  /** Waits for a held channel beside the groups, so that its neighbours do not. */
  function waitFor(channelId: string, sends: Send[]): boolean {
    if (waits === WAITS) {
      for (const send of sends) send.settle({ refused: unavailable() })
      return false
    }
    waits++
    void write(sends, true).finally(() => {
      waits--
      busy.delete(channelId)
      schedule()
    })
    return true
  }

  function send(draft: Draft) {
    const { length } = draft.content
    if (waiting >= most.things || charactersWaiting + length > most.characters) return Promise.reject(unavailable())
    charactersWaiting += length
    return new Promise<Written>((resolve, reject: (error: AppError) => void) => {
      const settle: Send['settle'] = (outcome) => {
        charactersWaiting -= length
        if ('refused' in outcome) reject(outcome.refused)
        else resolve(outcome)
      }
      enqueue(draft.channelId, { draft, since: Date.now(), settle })
    })
  }

  function change<T>(channelId: string, act: (tx: Transaction<DB>) => Promise<T>, told: (done: T) => unknown) {
    if (waiting >= most.things) return Promise.reject(unavailable())
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        try {
          const done = await db.transaction().execute(async (tx) => {
            await sql`set local lock_timeout = '1s'`.execute(tx)
            return act(tx)
          })
          if (doubtful.has(channelId)) await check(channelId)
          // It is done, whether or not it could be told: the pulse tells how far the channel has come.
          const telling = async () => told(done)
          await telling().catch((error) => log.error({ err: error }, 'a change could not be told'))
          resolve(done)
        } catch (error) {
          if (isUnavailable(error)) doubtful.set(channelId, true)
          reject(error)
        }
      }
      enqueue(channelId, { since: Date.now(), run, reject })
    })
  }

  const isBusy = (channelId: string) => busy.has(channelId) || queues.has(channelId)

  return { send, change, isBusy, waiting: () => waiting }
}

const isCurrent = ({ since }: { since: number }) => Date.now() - since < STALE

const isNew = (outcome: Outcome): outcome is Written => outcome !== 'busy' && 'isNew' in outcome && outcome.isNew
