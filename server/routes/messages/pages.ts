import type { FastifyInstance } from 'fastify'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { LRUCache } from 'lru-cache'
import type { InputOf } from '#contract/endpoint'
import { listMessages } from '#contract/messages'
import { type OpenChannel, readableChannel } from '../../access/access.ts'
import type { Db } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import { createSharedReads } from '../../limits/turns.ts'
import { type MessageRow, presentMessages, selectMessages } from '../../messages/message-rows.ts'
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
export function createPages({ bounds, cacheBytes, db, doors, people, turns }: FastifyInstance) {
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
    // Browsers store an ETag per URL, which holds the query, so the tag only needs to identify the version.
    const etag = tagOf(channel)
    if (ifNoneMatch === etag) return { encoded: null, etag, headers: { 'parley-rev': rev } }
    const key = keyOf(id, etag, query)
    const isCached = pages.has(key)
    const page = await shared(me, key, async () => {
      const { messages, ...version } = await selectPage(db, id, query)
      const encoded = encode(await presentMessages(people, messages, version.peopleVersion))
      const entry = { encoded, rev: version.rev, etag: tagOf(version) }
      // Cached under the version that was read with the messages, which may be newer than the door's.
      pages.set(keyOf(id, entry.etag, query), entry)
      return entry
    })
    // Checked again after waiting: the user may have been removed meanwhile.
    if (!isCached) await readableChannel(doors, me, id)
    return { encoded: page.encoded, etag: page.etag, headers: { 'parley-rev': page.rev } }
  }
}

const tagOf = ({ epoch, rev, peopleVersion }: Pick<OpenChannel, 'epoch' | 'rev' | 'peopleVersion'>) =>
  `"${epoch.slice(0, 8)}.${rev}.${peopleVersion}"`

async function selectPage(db: Db, channelId: string, { limit, before, after, around }: Query) {
  const middle = around === undefined ? undefined : await seqOf(db, channelId, around)
  const inChannel = selectMessages(db)
    .where('messages.channelId', '=', channelId)
    .where('messages.threadId', 'is', null)
  const newest = (seq?: number) =>
    inChannel.$if(seq !== undefined, (rows) => rows.where('seq', '<', seq as number)).orderBy('seq', 'desc')
  const following = (seq: number) => inChannel.where('seq', '>', seq).orderBy('seq', 'asc')

  const isForwards = middle === undefined && before === undefined && after !== undefined
  const main = () => {
    if (middle !== undefined) return newest(middle + 1).limit(Math.ceil(limit / 2))
    return isForwards ? following(after).limit(limit) : newest(before).limit(limit)
  }
  const page = await db
    .selectFrom('channels')
    .innerJoin('workspace', (join) => join.onTrue())
    .where('channels.id', '=', channelId)
    .select(['channels.rev', 'workspace.peopleVersion', 'workspace.epoch'])
    .select(jsonArrayFrom(main()).as('messages'))
    .$if(middle !== undefined, (page) =>
      page.select(jsonArrayFrom(following(middle as number).limit(Math.floor(limit / 2))).as('following')),
    )
    .executeTakeFirstOrThrow()
  const messages = page.messages as MessageRow[]
  if (!isForwards) messages.reverse()
  return { ...page, messages: [...messages, ...((page.following ?? []) as MessageRow[])] }
}

/** The `seq` of a message in its channel; for a reply, its parent's. */
async function seqOf(db: Db, channelId: string, messageId: string) {
  const message = await db
    .selectFrom('messages')
    .leftJoin('messages as parent', 'parent.id', 'messages.threadId')
    .select((row) => row.fn.coalesce('parent.seq', 'messages.seq').as('seq'))
    .where('messages.id', '=', messageId)
    .where('messages.channelId', '=', channelId)
    .executeTakeFirst()
  if (!message) throw notFound('errors.messageNotFound')
  return message.seq
}
