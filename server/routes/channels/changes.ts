import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { LRUCache } from 'lru-cache'
import { Changes, listChanges, sync } from '#contract/changes'
import { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { type ChannelVersion, movedChannels, readableChannel } from '../../access/access.ts'
import { presentChannel } from '../../channels/channel-rows.ts'
import { AppError } from '../../errors.ts'
import { createSharedReads, createTurns } from '../../limits/turns.ts'
import {
  MAX_REACTORS_PER_MESSAGE,
  messagesFromJson,
  presentMessages,
  selectMessages,
} from '../../messages/message-rows.ts'
import { type Encoded, encoder, route } from '../../route.ts'

/** Per request, because all requests share the pool. */
const MAX_CONCURRENT_CHANNELS = 4
/** Overhead per cache entry. */
const ENTRY_BYTES = 500

/** Maximum size of the people listed under a message's reactions. */
const MAX_REACTORS_BYTES = 300 * MAX_REACTORS_PER_MESSAGE

/** The changes of a channel. */
interface EncodedChanges {
  encoded: Buffer
  /** The revision of the channel's own last change. */
  selfRev: number
  /** Whether there are too many changes, so that the client reloads the channel. */
  isReload: boolean
}

type MovedChannel = Awaited<ReturnType<typeof movedChannels>>['moved'][number]

/** Limits beyond which the client reloads the channel. */
interface MaxChanges {
  messages: number
  bytes: number
}

/** The changes that a client missed, however long it was offline and whichever node it asks. */
export default async function changes(app: FastifyInstance) {
  const { bounds, db, doors, people, pool, turns } = app
  // After a restart thousands of clients request the same changes within seconds, and share one read and one buffer.
  const cached = new LRUCache<string, EncodedChanges>({
    maxSize: bounds.cacheBytes.changes,
    sizeCalculation: ({ encoded }, key) => encoded.length + 2 * key.length + ENTRY_BYTES,
  })
  app.cacheBytes.set('changes', () => cached.calculatedSize)
  const shared = createSharedReads(turns, (key) => cached.get(key))
  const syncTurns = createTurns(bounds.syncs)
  const encode = encoder({ reply: Changes })
  const encodeChannel = encoder({ reply: Channel })

  route(app, listChanges, async ({ params, query, me }) => {
    const channel = await readableChannel(doors, me, params.channelId)
    const max = { messages: limits.changes.one, bytes: bounds.changeBytes.single }
    return { encoded: await changesAfter(me, channel, query.after, max) }
  })

  route(app, { ...sync, rate: 'reads' }, async ({ body, me }): Promise<Encoded> => {
    const { epoch, moved, gone } = await movedChannels(pool, me, body.revs)
    if (body.epoch !== epoch) return encodedSync(epoch, [], [])
    if (moved.length === 0) return encodedSync(epoch, [], gone)
    return syncTurns(me, () => readMoved(me, epoch, moved, gone))
  })

  /** Reads channels in batches, holding the changes of earlier ones in memory. */
  async function readMoved(me: string, epoch: string, moved: MovedChannel[], gone: string[]): Promise<Encoded> {
    const changed: [string, Buffer][] = []
    let left = bounds.changeBytes.total
    for (let i = 0; i < moved.length; i += MAX_CONCURRENT_CHANNELS) {
      const some = moved.slice(i, i + MAX_CONCURRENT_CHANNELS)
      const max = { messages: limits.changes.each, bytes: bounds.changeBytes.each }
      const answers = await Promise.all(
        some.map((channel) => {
          // The response is full, so the remaining channels are not read.
          if (left < bounds.changeBytes.each) return encode({ rev: channel.rev, reload: true })
          return changesAfter(me, channel, channel.after, max).catch(undefinedIfGone)
        }),
      )
      for (const [j, channel] of some.entries()) {
        const answer = answers[j]
        if (!answer) gone.push(channel.id)
        else {
          const fits = answer.length <= left
          changed.push([channel.id, fits ? answer : encode({ rev: channel.rev, reload: true })])
          if (fits) left -= answer.length
        }
      }
    }
    return encodedSync(epoch, changed, gone)
  }

  /** Encoded changes, which all readers share, and the changed channel itself, which contains the user's read cursor. */
  async function changesAfter(me: string, channel: ChannelVersion, after: number, max: MaxChanges): Promise<Buffer> {
    const { encoded, selfRev, isReload } = await read(me, channel, after, max)
    const isSelf = !isReload && selfRev > after
    const presented = isSelf ? encodeChannel(await presentChannel(app, me, channel.id)) : undefined
    // Checked last: a user who was removed during the read must not see later messages.
    await readableChannel(doors, me, channel.id)
    if (!presented) return encoded
    return Buffer.concat([encoded.subarray(0, -1), Buffer.from(',"channel":'), presented, Buffer.from('}')])
  }

  async function read(me: string, { id, epoch, rev, peopleVersion }: ChannelVersion, after: number, max: MaxChanges) {
    // The key contains the versions that the door just read, so a cached entry is as fresh as the door.
    const key = [id, epoch, rev, peopleVersion, after, max.messages].join(' ')
    return shared(me, key, async () => {
      const changed = await readChanges(id, after, max)
      cached.set(key, changed)
      return changed
    })
  }

  /** Numbers and rows come from one statement, so that they match. */
  async function readChanges(channelId: string, after: number, max: MaxChanges): Promise<EncodedChanges> {
    const changed = db.selectFrom('messages').where('channelId', '=', channelId).where('rev', '>', after)
    const first = changed.orderBy('rev').limit(max.messages + 1)
    // The size is estimated before the rows are read. Reactions store ids, but the response contains names, which are longer.
    const reactors = sql`least(3 * octet_length(reactions::text), ${sql.lit(MAX_REACTORS_BYTES)})`
    const estimate = sql<number>`octet_length(content) + ${reactors} + octet_length(files::text)`
    const estimated = db.selectFrom(first.select(estimate.as('bytes')).as('estimated'))
    const bytes = estimated.select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
    const rows = selectMessages(db).where('messages.channelId', '=', channelId).where('messages.rev', '>', after)
    const { rev, selfRev, removedRev, peopleVersion, messages } = await db
      .selectFrom('channels')
      .innerJoin('workspace', (join) => join.onTrue())
      .where('channels.id', '=', channelId)
      .select(['channels.rev', 'channels.selfRev', 'channels.removedRev', 'workspace.peopleVersion'])
      .select((row) =>
        row
          .case()
          .when(row(bytes, '>', max.bytes))
          .then(null)
          .else(jsonArrayFrom(rows.orderBy('messages.rev').limit(max.messages + 1)))
          .end()
          .as('messages'),
      )
      .executeTakeFirstOrThrow()
    const reload = { encoded: encode({ rev, reload: true }), selfRev, isReload: true }
    // Changes don't include messages removed by retention.
    if (after > rev || after < removedRev || messages === null || messages.length > max.messages) return reload
    const encoded = encode({ rev, messages: await presentMessages(people, messagesFromJson(messages), peopleVersion) })
    return encoded.length > max.bytes ? reload : { encoded, selfRev, isReload: false }
  }
}

/** Undefined if the user may not read the channel. */
function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof AppError) || error.status !== 404) throw error
}

/** Concatenates the response of a sync from encoded parts. */
function encodedSync(epoch: string, changed: [string, Buffer][], gone: string[]): Encoded {
  const parts = changed.flatMap(([id, encoded], i) => [Buffer.from(`${i > 0 ? ',' : ''}"${id}":`), encoded])
  const head = `{"epoch":${JSON.stringify(epoch)},"gone":${JSON.stringify(gone)},"channels":{`
  return { encoded: Buffer.concat([Buffer.from(head), ...parts, Buffer.from('}}')]) }
}
