import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { Logger } from '../process/logger.ts'
import { channelRoom, type Publish, type Realtime, userRoom } from '../realtime.ts'

export interface Presence {
  /** Counts a socket in: its person is online as long as one of theirs is. */
  enter(userId: string, socketId: string): void
  /** Takes a socket out: the connection ended, or its person said that they go (`now`), and is not waited for. */
  leave(userId: string, socketId: string, now?: 'now'): void
  /** A person's status emoji changed. */
  changed(userId: string): void
  statusOf(userId: string): 'online' | 'offline'
  online(): string[]
  /** Another one whenever somebody's status or emoji may be another; not comparable between nodes and starts. */
  version(): string
  stop(): void
}

interface Options {
  db: Db
  io: Realtime
  publish: Publish
  log: Logger
}

/** Milliseconds that a person who reloads the page, or changes trains, has to come back unnoticed. */
const GRACE = 5000
/** Changes are gathered for this many milliseconds, and this many deliveries are made of them at most. */
const GATHER = 250
const DELIVERIES = 12_500

/**
 * Who is here: kept in memory, because it is true only as long as the sockets are; after a crash everyone is offline
 * until they are back. Tells changes to those who share a channel with the person, and only what is still true then: of
 * somebody who came and went in between nothing is told, and a storm of changes takes its time instead of everyone's.
 */
export function keepPresence({ db, io, publish, log }: Options): Presence {
  const start = newId()
  const sockets = new Map<string, Set<string>>()
  const graces = new Map<string, NodeJS.Timeout>()
  const toldOnline = new Set<string>()
  /** Of whom something is to be told, and whether it is their emoji. */
  const pending = new Map<string, { emoji: boolean }>()
  let changes = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const isOnline = (userId: string) => sockets.has(userId) || graces.has(userId)

  function enter(userId: string, socketId: string) {
    clearTimeout(graces.get(userId))
    graces.delete(userId)
    const theirs = sockets.get(userId)
    if (theirs) theirs.add(socketId)
    else sockets.set(userId, new Set([socketId]))
    update(userId)
  }

  function leave(userId: string, socketId: string, now?: 'now') {
    const theirs = sockets.get(userId)
    if (!theirs?.delete(socketId) || theirs.size > 0) return
    sockets.delete(userId)
    if (now) return update(userId)
    const over = () => {
      graces.delete(userId)
      update(userId)
    }
    graces.set(userId, setTimeout(over, GRACE))
  }

  function update(userId: string) {
    changes++
    const { emoji = false } = pending.get(userId) ?? {}
    if (emoji || isOnline(userId) !== toldOnline.has(userId)) queue(userId, emoji)
    else pending.delete(userId)
  }

  function changed(userId: string) {
    changes++
    queue(userId, true)
  }

  function queue(userId: string, emoji: boolean) {
    pending.set(userId, { emoji })
    if (!stopped) timer ??= setTimeout(tell, GATHER)
  }

  async function tell() {
    const most = Math.max(1, Math.floor(DELIVERIES / Math.max(1, io.engine.clientsCount)))
    const some = new Map([...pending].slice(0, most))
    for (const userId of some.keys()) pending.delete(userId)
    try {
      const heard = await hearersOf([...some.keys()])
      for (const { id, statusEmoji, channelIds } of heard) {
        const status = statusOf(id)
        // Back to what was told, while the database was asked.
        if (!some.get(id)?.emoji && isOnline(id) === toldOnline.has(id)) continue
        if (status === 'online') toldOnline.add(id)
        else toldOnline.delete(id)
        const hearers = [userRoom(id), ...channelIds.map(channelRoom)]
        publish(hearers, 'user:status_changed', { userId: id, status, user_status: statusEmoji })
      }
    } catch (error) {
      log.warn({ err: error }, 'a change of status could not be told')
      for (const [userId, what] of some) if (!pending.has(userId)) pending.set(userId, what)
    }
    timer = pending.size > 0 && !stopped ? setTimeout(tell, GATHER) : undefined
  }

  /** With each person the channels whose members hear of them; #general stands for all, because everyone is in it. */
  const hearersOf = (userIds: string[]) =>
    db
      .selectFrom('users')
      .where('id', 'in', userIds)
      .select(['id', 'statusEmoji'])
      .select(
        sql<string[]>`coalesce(
          (select array["generalId"] from workspace w
            where exists (select from memberships m where m."channelId" = w."generalId" and m."userId" = users.id)),
          array(select m."channelId" from memberships m where m."userId" = users.id)
        )::text[]`.as('channelIds'),
      )
      .execute()

  /** The assistant is always here. */
  const statusOf = (userId: string) => (userId === ASSISTANT || isOnline(userId) ? 'online' : 'offline')

  return {
    enter,
    leave,
    changed,
    statusOf,
    online: () => [...new Set([...sockets.keys(), ...graces.keys()])],
    version: () => `${start.slice(-8)}.${changes}`,
    stop: () => {
      stopped = true
      clearTimeout(timer)
      for (const grace of graces.values()) clearTimeout(grace)
    },
  }
}
