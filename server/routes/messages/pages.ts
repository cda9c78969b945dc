import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { LRUCache } from 'lru-cache'
import type { InputOf } from '#contract/endpoint'
import { listMessages } from '#contract/messages'
import { type OpenChannel, readableChannel } from '../../access/access.ts'
import type { Database, Db } from '../../db/database.ts'
import { prepare, type ValueOf } from '../../db/prepare.ts'
import { notFound } from '../../errors.ts'
import { createSharedReads } from '../../limits/turns.ts'
import { messagesFromJson, presentMessages, selectMessages } from '../../messages/message-rows.ts'
import { type Encoded, encoder } from '../../route.ts'

type Query = InputOf<typeof listMessages>['query']

interface Page {
  encoded: Buffer
  rev: number
  etag: string
}

const ENTRY_OVERHEAD_BYTES = 500

/**
 * Caches encoded pages of messages. A page is the same for every reader, so its key is everything it depends on: channel,
 * revision, people version and query. A change leads to another key, so nothing needs to be invalidated.
 */
export function createPages(app: FastifyInstance) {
  const { bounds, cacheBytes, doors, people, turns } = app
  const readPage = createPageReader(app)
  const pages = new LRUCache<string, Page>({
    maxSize: bounds.cacheBytes.pages,
    sizeCalculation: ({ encoded }, key) => encoded.length + 2 * key.length + ENTRY_OVERHEAD_BYTES,
  })
  cacheBytes.set('pages', () => pages.calculatedSize)
  const shared = createSharedReads(turns, (key) => pages.get(key))
  const encode = encoder(listMessages)
  const keyOf = (channelId: string, tag: string, { limit, before, after, around }: Query) =>
    `${channelId} ${tag} ${limit} ${before ?? ''} ${after ?? ''} ${around ?? ''}`

  return async (me: string, channel: OpenChannel, query: Query, ifNoneMatch: string | undefined): Promise<Encoded> => {
    const { id, rev } = channel
    // Browsers store an ETag per URL, including the query, so the tag only needs to identify the version.
    const etag = tagOf(channel)
    if (ifNoneMatch === etag) return { encoded: null, etag, headers: { 'parley-rev': rev } }
    const key = keyOf(id, etag, query)
    const isCached = pages.has(key)
    const page = await shared(me, key, async () => {
      const { messages, ...version } = await readPage(id, query)
      const encoded = encode(await presentMessages(people, messages, version.peopleVersion))
      const entry = { encoded, rev: version.rev, etag: tagOf(version) }
      // Cached under the version that was read with the messages, which may be newer than the door's.
      pages.set(keyOf(id, entry.etag, query), entry)
      return entry
    })
    // Check again after waiting: the user may have been removed since.
    if (!isCached) await readableChannel(doors, me, id)
    return { encoded: page.encoded, etag: page.etag, headers: { 'parley-rev': page.rev } }
  }
}

const tagOf = ({ epoch, rev, peopleVersion }: Pick<OpenChannel, 'epoch' | 'rev' | 'peopleVersion'>) =>
  `"${epoch.slice(0, 8)}.${rev}.${peopleVersion}"`

/** Returns a function that reads a page in one statement, so that messages and versions are consistent. */
function createPageReader(database: Database) {
  const place = { channelId: 'uuid', limit: 'bigint', seq: 'bigint' } as const
  const statement = (name: string, part: (rows: TopLevel, value: ValueOf<typeof place>) => TopLevel) =>
    prepare(database, name, place, (db, value) =>
      selectNumbers(db, value('channelId')).select(
        jsonArrayFrom(part(selectTopLevel(db, value('channelId')), value).limit(value('limit'))).as('messages'),
      ),
    )
  const newest = statement('newest_page', (rows) => rows.orderBy('seq', 'desc'))
  const back = statement('page_before', (rows, value) => rows.where('seq', '<', value('seq')).orderBy('seq', 'desc'))
  const forth = statement('page_after', (rows, value) => rows.where('seq', '>', value('seq')).orderBy('seq'))

  const middle = { channelId: 'uuid', messageId: 'uuid', upTo: 'bigint', after: 'bigint' } as const
  const surrounding = prepare(database, 'page_around', middle, (db, value) => {
    const rows = selectTopLevel(db, value('channelId'))
    const seq = sql.ref<number>('middle.seq')
    return selectNumbers(db, value('channelId'))
      .innerJoin(selectMiddle(db, value('channelId'), value('messageId')).as('middle'), (join) => join.onTrue())
      .select([
        jsonArrayFrom(rows.where('seq', '<=', seq).orderBy('seq', 'desc').limit(value('upTo'))).as('messages'),
        jsonArrayFrom(rows.where('seq', '>', seq).orderBy('seq').limit(value('after'))).as('following'),
      ])
  })

  return async (channelId: string, { limit, before, after, around }: Query) => {
    if (around !== undefined) {
      const half = Math.floor(limit / 2)
      const [page] = await surrounding({ channelId, messageId: around, upTo: limit - half, after: half })
      if (!page) throw notFound('errors.messageNotFound')
      return { ...page, messages: inOrder(page.messages, page.following) }
    }
    const read = before !== undefined ? back : after !== undefined ? forth : newest
    const [page] = await read({ channelId, limit, seq: before ?? after ?? 0 })
    if (!page) throw notFound('errors.channelNotFound')
    return { ...page, messages: inOrder(page.messages) }
  }
}

const selectNumbers = (db: Db, channelId: string) =>
  db
    .selectFrom('channels')
    .innerJoin('workspace', (join) => join.onTrue())
    .where('channels.id', '=', channelId)
    .select(['channels.rev', 'workspace.peopleVersion', 'workspace.epoch'])

type TopLevel = ReturnType<typeof selectTopLevel>
const selectTopLevel = (db: Db, channelId: string) =>
  selectMessages(db).where('messages.channelId', '=', channelId).where('messages.threadId', 'is', null)

/** The `seq` of a message in its channel; for a reply, its parent's. */
const selectMiddle = (db: Db, channelId: string, messageId: string) =>
  db
    .selectFrom('messages')
    .leftJoin('messages as parent', 'parent.id', 'messages.threadId')
    .select((row) => row.fn.coalesce('parent.seq', 'messages.seq').as('seq'))
    .where('messages.id', '=', messageId)
    .where('messages.channelId', '=', channelId)

const inOrder = (...parts: unknown[]) => parts.flatMap(messagesFromJson).sort((a, b) => a.seq - b.seq)
