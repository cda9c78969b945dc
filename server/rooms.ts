import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { LRUCache } from 'lru-cache'
import type { DB } from './db/schema.ts'
import { channelRoom, lookersRoom, type Realtime } from './realtime.ts'

/** Milliseconds between two looks: whoever was removed on another node hears nothing more within a second. */
const EVERY = 400
/** Looks overlap by this many seconds, because a later commit can carry an earlier time. */
const OVERLAP = 10
const REMEMBERED = 100_000

/** Who may hear a channel among those connected here. */
interface Hearers {
  channelId: string
  members: Set<string>
  /** Whether others may look at it. */
  isOpen: boolean
}

const socketsOf = (io: Realtime) => [...io.of('/').sockets.values()]

async function readHearers(db: Kysely<DB> | Transaction<DB>, io: Realtime, channelId: string): Promise<Hearers> {
  const here = [...new Set(socketsOf(io).map(({ data }) => data.userId))]
  const channel = await db
    .selectFrom('channels')
    .where('id', '=', channelId)
    .where('deletedAt', 'is', null)
    .select(['kind'])
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('memberships')
          .where('channelId', '=', channelId)
          .where('userId', '=', sql<string>`any(${here}::text[])`)
          .select('userId'),
      ).as('members'),
    )
    .executeTakeFirst()
  const members = new Set(channel?.members.map(({ userId }) => userId))
  return { channelId, members, isOpen: channel?.kind === 'public' }
}

/** Lets the sockets of members in, and puts those of strangers out, who learn that they left. */
function place({ io, publish }: FastifyInstance, { channelId, members, isOpen }: Hearers) {
  const room = channelRoom(channelId)
  for (const socket of socketsOf(io)) {
    const { rooms } = socket
    if (members.has(socket.data.userId)) void socket.join(room)
    else if (rooms.has(room) && !(isOpen && rooms.has(lookersRoom(channelId)))) {
      void socket.leave(room)
      void socket.leave(lookersRoom(channelId))
      publish(socket.id, 'channel:left', { channelId })
    }
  }
}

/** Brings a channel's room in line with its members; call it at its place in the channel's queue. */
export async function settleRoom(app: FastifyInstance, channelId: string) {
  place(app, await readHearers(app.db, app.io, channelId))
}

/**
 * Sockets follow memberships, whichever node changed them, and also where a node died before it could move them: each
 * node looks which channels changed themselves lately. Names follow in the same way. Answers how to stop.
 */
export function followMemberships(app: FastifyInstance) {
  const { db, io, log, people, writer } = app
  const settled = new LRUCache<string, number>({ max: REMEMBERED })
  let lookedAt = Date.now()
  let stopped = false
  let timer = setTimeout(look, EVERY)

  async function look() {
    const startedAt = Date.now()
    try {
      const seconds = (startedAt - lookedAt) / 1000 + OVERLAP
      const changed = db
        .selectFrom('channels')
        .where('selfChangedAt', '>', sql<string>`clock_timestamp() - make_interval(secs => ${seconds})`)
        .select(['id', 'selfRev'])
      const { peopleVersion, channels } = await db
        .selectFrom('workspace')
        .select('peopleVersion')
        .select(jsonArrayFrom(changed).as('channels'))
        .executeTakeFirstOrThrow()
      people.moveTo(peopleVersion)
      const moved = channels.filter(({ id, selfRev }) => (settled.get(id) ?? 0) < selfRev)
      await Promise.all(moved.map(settle))
      lookedAt = startedAt
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'could not look whose membership changed')
    }
    if (!stopped) timer = setTimeout(look, EVERY)
  }

  async function settle({ id, selfRev }: { id: string; selfRev: number }) {
    await writer.change(
      id,
      (tx) => readHearers(tx, io, id),
      (hearers) => place(app, hearers),
    )
    settled.set(id, selfRev)
  }

  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
