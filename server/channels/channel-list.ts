import { sql } from 'kysely'
import { PUBLIC_FILES } from '#contract/channel-name'
import { isHere, isReadableBy } from '../access/readable-channels.ts'
import type { Database, Db } from '../db/database.ts'
import { prepare } from '../db/prepare.ts'
import { type ChannelRow, selectChannels } from './channel-rows.ts'

interface Numbers {
  /** Of the longer list. */
  total: number
  epoch: string
  peopleVersion: number
}

/**
 * Returns a function that reads a page of a user's channels: shared ones by name, and direct messages, newest first. It is one
 * statement, so the numbers match the rows.
 */
export function createListReader(database: Database) {
  /** An empty page is a single row without a channel. */
  type Row = (ChannelRow | { id: null }) & Numbers
  const read = prepare(database, 'list_channels', { me: 'text', limit: 'bigint', offset: 'bigint' }, (db, value) => {
    const shared = selectShared(db, value('me'))
    const direct = selectDirect(db, value('me'))
    const count = sql<number>`count(*)`.as('count')
    // Ids first; otherwise the other columns would be read even for rows that the offset skips.
    const [limit, offset] = [value('limit'), value('offset')]
    const sharedIds = shared.select('id').orderBy(sql`lower(name)`).limit(limit).offset(offset)
    const directIds = direct.select('id').orderBy('id', 'desc').limit(limit).offset(offset)
    // As an array: the planner assumes that it is short, and so reads only these rows instead of all.
    const ids = sql<string>`any(array((${sharedIds}) union all (${directIds})))`
    const page = selectChannels(db, value('me')).where('channels.id', '=', ids)
    return db
      .selectFrom('workspace')
      .leftJoin(page.as('channel'), (join) => join.onTrue())
      .selectAll('channel')
      .select(['epoch', 'peopleVersion'])
      .select(sql<number>`greatest((${shared.select(count)}), (${direct.select(count)}))`.as('total'))
      .orderBy(sql`lower(channel.name)`)
      .$castTo<Row>()
  })

  return async (me: string, { page, limit }: { page: number; limit: number }) => {
    // One extra row shows whether there are more.
    const rows = await read({ me, limit: limit + 1, offset: (page - 1) * limit })
    const { total, epoch, peopleVersion } = rows[0] as Row
    const channels = rows.filter((row) => row.id !== null)
    const shared = channels.filter(({ kind }) => kind !== 'direct')
    const direct = channels.filter(({ kind }) => kind === 'direct').sort((a, b) => (a.id < b.id ? 1 : -1))
    return {
      shared: shared.slice(0, limit),
      direct: direct.slice(0, limit),
      pagination: { page, limit, hasMore: shared.length > limit || direct.length > limit, total },
      epoch,
      peopleVersion,
    }
  }
}

const selectShared = (db: Db, me: string) =>
  db
    .selectFrom('channels')
    .where('deletedAt', 'is', null)
    .where('kind', '<>', 'direct')
    .where('name', '<>', PUBLIC_FILES)
    .where(isReadableBy(me))

/** Looked up by the user's memberships, because there are about a hundred times as many direct messages in total. */
const selectDirect = (db: Db, me: string) =>
  db
    .selectFrom('channels')
    .where('deletedAt', 'is', null)
    .where('directKey', 'is not', null)
    .where('id', 'in', (own) => own.selectFrom('memberships').select('channelId').where('userId', '=', me))
    .where(isHere(me))
