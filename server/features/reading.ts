import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { type MovedCursor, readAllChannels, readChannel, readThread, unreadChannels } from '#contract/reading'
import { memberChannel, memberMessage, parentOnly } from '../access.ts'
import { presentChannel, presentChannels, selectChannels } from '../channel-rows.ts'
import { notFound } from '../errors.ts'
import { userRoom } from '../realtime.ts'
import { route } from '../route.ts'
import { readThreadCursor } from '../thread-cursors.ts'

/** How far people have read. It is theirs alone: no revision moves, and only their own sockets hear of it. */
export default async function reading(app: FastifyInstance) {
  const { db, doors, publish } = app

  route(app, readChannel, async ({ params, body }, me) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    await db
      .updateTable('memberships')
      .from('channels')
      .whereRef('channels.id', '=', 'memberships.channelId')
      .where('memberships.channelId', '=', id)
      .where('memberships.userId', '=', me)
      .where(allows('memberships', body))
      .set(cursorAt('memberships', body, sql.ref('channels.seq')))
      .execute()
    const { lastReadSeq, readVersion, unread, mentions, rev } = await presentChannel(app, me, id)
    // Removed in this moment.
    if (lastReadSeq === undefined || readVersion === undefined || unread === undefined || mentions === undefined)
      throw notFound('Channel')
    const cursor = { lastReadSeq, readVersion, unread, mentions, rev }
    publish(userRoom(me), 'channel:read', { ...cursor, channelId: id })
    return cursor
  })

  route(app, readAllChannels, async (_, me) => {
    const channels = await db
      .with('behind', (it) =>
        it
          .selectFrom('memberships')
          .innerJoin('channels', 'channels.id', 'memberships.channelId')
          .where('memberships.userId', '=', me)
          .where('channels.deletedAt', 'is', null)
          .whereRef('memberships.lastReadSeq', '<', 'channels.seq')
          .select(['channelId', 'seq', 'rev', 'lastReadSeq as before'])
          // Where I say something in this moment it is read by that; to wait, holding others, could wait in a circle.
          .forUpdate('memberships')
          .skipLocked(),
      )
      .updateTable('memberships')
      .from('behind')
      .whereRef('memberships.channelId', '=', 'behind.channelId')
      .where('memberships.userId', '=', me)
      .set((row) => ({ lastReadSeq: row.ref('behind.seq') }))
      .returning(['memberships.channelId', 'memberships.lastReadSeq', 'readVersion', 'before', 'behind.rev'])
      .execute()
    return tell(
      me,
      channels.map((it) => ({ ...it, unread: 0, mentions: 0 })),
    )
  })

  route(app, unreadChannels, async ({ body }, me) => {
    const places = new Map(body.channels.map((it) => [it.channelId, it]))
    const asked = sql<{ channelId: string; before: number; lastReadSeq: number; readVersion: number }>`
      jsonb_to_recordset(${JSON.stringify([...places.values()])}::jsonb)
        as asked("channelId" uuid, before bigint, "lastReadSeq" bigint, "readVersion" bigint)`
    const moved = await sql<{ channelId: string }>`
      update memberships set "lastReadSeq" = asked.before, "readVersion" = memberships."readVersion" + 1
      from (
        select asked.* from ${asked} join memberships m using ("channelId", "lastReadSeq", "readVersion")
        where m."userId" = ${me} and asked.before < m."lastReadSeq"
        for update of m skip locked
      ) asked
      where memberships."channelId" = asked."channelId" and memberships."userId" = ${me}
      returning memberships."channelId"`.execute(db)
    if (moved.rows.length === 0) return { channels: [] }
    const ids = moved.rows.map(({ channelId }) => channelId)
    const channels = await presentChannels(app, await selectChannels(db, me).where('channels.id', 'in', ids).execute())
    return tell(
      me,
      channels.flatMap(({ id, lastReadSeq, readVersion, unread, mentions, rev }) =>
        // Those that are left out were deleted or left in this moment.
        lastReadSeq === undefined || readVersion === undefined || unread === undefined || mentions === undefined
          ? []
          : [
              {
                channelId: id,
                lastReadSeq,
                readVersion,
                unread,
                mentions,
                rev,
                before: places.get(id)?.lastReadSeq ?? 0,
              },
            ],
      ),
    )
  })

  function tell(me: string, channels: MovedCursor[]) {
    for (const { before: _, ...cursor } of channels) publish(userRoom(me), 'channel:read', cursor)
    return { channels }
  }

  route(app, readThread, async ({ params, body }, me) => {
    const { id, channel } = parentOnly(await memberMessage(app, me, params.threadId))
    await db
      .updateTable('thread_follows')
      .from('messages')
      .whereRef('messages.id', '=', 'thread_follows.threadId')
      .where('thread_follows.threadId', '=', id)
      .where('thread_follows.userId', '=', me)
      .where(allows('thread_follows', body))
      .set(cursorAt('thread_follows', body, sql.ref('messages.threadSeq')))
      .execute()
    const cursor = await readThreadCursor(db, me, id)
    publish(userRoom(me), 'thread:read', { ...cursor, channelId: channel.id })
    return cursor
  })
}

interface Read {
  seq: number
  unread?: boolean | undefined
  readVersion?: number | undefined
}

/** A read that was on its way while something was marked unread is late. */
const allows = (table: string, { unread, readVersion }: Read) =>
  unread || readVersion === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${table}.readVersion`)} <= ${readVersion}::bigint`

/** Reading only goes on, and no further than there is something; marking unread sets the cursor before the place. */
function cursorAt(table: string, { seq, unread }: Read, newest: ReturnType<typeof sql.ref>) {
  const [lastReadSeq, readVersion] = [sql.ref(`${table}.lastReadSeq`), sql.ref(`${table}.readVersion`)]
  return unread
    ? {
        lastReadSeq: sql<number>`least(greatest(${seq}::bigint - 1, 0), ${newest})`,
        readVersion: sql<number>`${readVersion} + 1`,
      }
    : { lastReadSeq: sql<number>`greatest(${lastReadSeq}, least(${seq}::bigint, ${newest}))` }
}
