import type { FastifyInstance } from 'fastify'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { LRUCache } from 'lru-cache'
import type { InputOf } from '#contract/endpoint'
import { listMessages } from '#contract/messages'
import { type OpenChannel, readableChannel } from '../../access/access.ts'
import type { Db } from '../../db/database.ts'
import { notFound } from '../../errors.ts'
import { openShared } from '../../limits/turns.ts'
import { type MessageRow, presentMessages, selectMessages } from '../../messages/message-rows.ts'
import { type Encoded, encoder } from '../../route.ts'

type Query = InputOf<typeof listMessages>['query']

interface Page {
  encoded: Buffer
  rev: number
  etag: string
}

/** Bytes that an entry takes besides what was encoded. */
const ENTRY = 500

/**
 * Pages of messages, encoded. A page is the same for every reader, so it is kept under what it depends on: channel,
 * revision, people version and query. A key that moved on is never asked for again, so there is nothing to invalidate.
 */
export function createPages({ bounds, cacheBytes, db, doors, people, turns }: FastifyInstance) {
  const pages = new LRUCache<string, Page>({
    maxSize: bounds.caches.pages,
    sizeCalculation: ({ encoded }, key) => encoded.length + 2 * key.length + ENTRY,
  })
  cacheBytes.set('pages', () => pages.calculatedSize)
  const shared = openShared(turns, (key) => pages.get(key))
  const encode = encoder(listMessages)
  const keyOf = (channelId: string, tag: string, { limit, before, after, around }: Query) =>
    `${channelId} ${tag} ${limit} ${before ?? ''} ${after ?? ''} ${around ?? ''}`

  /** @param held the reader's `If-None-Match` */
  return async (me: string, channel: OpenChannel, query: Query, held: string | undefined): Promise<Encoded> => {
    const { id, rev } = channel
    // An address is one query, so the tag only has to tell its versions apart.
    const etag = tagOf(channel)
    if (held === etag) return { encoded: null, etag, headers: { 'parley-rev': rev } }
    const key = keyOf(id, etag, query)
    const isKept = pages.has(key)
    const page = await shared(me, key, async () => {
      const { messages, ...stand } = await readPage(db, id, query)
      const encoded = encode(await presentMessages(people, messages, stand.peopleVersion))
      const read = { encoded, rev: stand.rev, etag: tagOf(stand) }
      // Read in one statement: rows and the numbers they stand under belong together, also if both moved since the door.
      pages.set(keyOf(id, read.etag, query), read)
      return read
    })
    // It waited for its turn: what was said after somebody was removed is not theirs.
    if (!isKept) await readableChannel(doors, me, id)
    return { encoded: page.encoded, etag: page.etag, headers: { 'parley-rev': page.rev } }
  }
}

const tagOf = ({ epoch, rev, peopleVersion }: Pick<OpenChannel, 'epoch' | 'rev' | 'peopleVersion'>) =>
  `"${epoch.slice(0, 8)}.${rev}.${peopleVersion}"`

async function readPage(db: Db, channelId: string, { limit, before, after, around }: Query) {
  const middle = around === undefined ? undefined : await seqOf(db, channelId, around)
  const inChannel = selectMessages(db)
    .where('messages.channelId', '=', channelId)
    .where('messages.threadId', 'is', null)
  const newest = (seq?: number) =>
    inChannel.$if(seq !== undefined, (it) => it.where('seq', '<', seq as number)).orderBy('seq', 'desc')
  const following = (seq: number) => inChannel.where('seq', '>', seq).orderBy('seq', 'asc')

  const backwards = middle !== undefined || before !== undefined || after === undefined
  const first =
    middle !== undefined
      ? newest(middle + 1).limit(Math.ceil(limit / 2))
      : backwards
        ? newest(before).limit(limit)
        : following(after).limit(limit)
  const page = await db
    .selectFrom('channels')
    .innerJoin('workspace', (join) => join.onTrue())
    .where('channels.id', '=', channelId)
    .select(['channels.rev', 'workspace.peopleVersion', 'workspace.epoch'])
    .select(jsonArrayFrom(first).as('messages'))
    .$if(middle !== undefined, (it) =>
      it.select(jsonArrayFrom(following(middle as number).limit(Math.floor(limit / 2))).as('following')),
    )
    .executeTakeFirstOrThrow()
  const messages = page.messages as MessageRow[]
  if (backwards) messages.reverse()
  return { ...page, messages: [...messages, ...((page.following ?? []) as MessageRow[])] }
}

/** The place of a message; of a reply, its parent's. */
async function seqOf(db: Db, channelId: string, messageId: string) {
  const message = await db
    .selectFrom('messages')
    .leftJoin('messages as parent', 'parent.id', 'messages.threadId')
    .select((row) => row.fn.coalesce('parent.seq', 'messages.seq').as('seq'))
    .where('messages.id', '=', messageId)
    .where('messages.channelId', '=', channelId)
    .executeTakeFirst()
  if (!message) throw notFound('Message')
  return message.seq
}
