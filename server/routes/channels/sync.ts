import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { LRUCache } from 'lru-cache'
import { Changes, listChanges, sync } from '#contract/changes'
import { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { type OpenChannel, readableChannel } from '../../access/access.ts'
import { presentChannel } from '../../channels/channel-rows.ts'
import { readEpoch } from '../../channels/workspace.ts'
import { AppError } from '../../errors.ts'
import { createSharedReads } from '../../limits/turns.ts'
import {
  MAX_REACTORS_PER_MESSAGE,
  type MessageRow,
  presentMessages,
  selectMessages,
} from '../../messages/message-rows.ts'
import { type Encoded, encoder, route } from '../../route.ts'

/** Channels read at once for one person: the pool is for all. */
const AT_ONCE = 4
/** Bytes that an entry takes besides what was encoded. */
const ENTRY = 500

/** Bytes of those who reacted, as a message lists them at the most. */
const REACTORS = 300 * MAX_REACTORS_PER_MESSAGE

/** What changed, encoded, and at which revision the channel itself did last; or that it is to be read anew. */
interface Read {
  encoded: Buffer
  selfRev: number
  isReload: boolean
}

/** How much may have changed in a channel, beyond which it is read anew. */
interface Most {
  messages: number
  bytes: number
}

/** What somebody missed: the answer to every gap, from any node, however long they were away. */
export default async function changes(app: FastifyInstance) {
  const { bounds, db, doors, people, turns } = app
  // After a restart thousands ask for the same within seconds: of one reading they all get one buffer.
  const kept = new LRUCache<string, Read>({
    maxSize: bounds.cacheBytes.changes,
    sizeCalculation: ({ encoded }, key) => encoded.length + 2 * key.length + ENTRY,
  })
  app.cacheBytes.set('changes', () => kept.calculatedSize)
  const shared = createSharedReads(turns, (key) => kept.get(key))
  const encode = encoder({ reply: Changes })
  const encodeChannel = encoder({ reply: Channel })

  route(app, listChanges, async ({ params, query, me }) => {
    const channel = await readableChannel(doors, me, params.channelId)
    const most = { messages: limits.changes.one, bytes: bounds.changeBytes.single }
    return { encoded: await changesAfter(me, channel, query.after, most) }
  })

  route(app, sync, async ({ body, me }): Promise<Encoded> => {
    const epoch = await readEpoch(db)
    if (body.epoch !== epoch) return encodedSync(epoch, [], [])
    const known = Object.entries(body.revs)
    // The doors of one moment are one query.
    const doorsOf = await Promise.all(known.map(([channelId]) => open(me, channelId)))
    const gone = known.filter((_, i) => !doorsOf[i]).map(([channelId]) => channelId)
    const moved = known.flatMap(([, after], i) => {
      const channel = doorsOf[i]
      return channel && channel.rev !== after ? [{ channel, after }] : []
    })
    const changed: [string, Buffer][] = []
    let left = bounds.changeBytes.total
    for (let i = 0; i < moved.length; i += AT_ONCE) {
      const some = moved.slice(i, i + AT_ONCE)
      const most = { messages: limits.changes.each, bytes: bounds.changeBytes.each }
      const answers = await Promise.all(
        some.map(({ channel, after }) => {
          // Once there is no room for more, nothing more is read.
          if (left < bounds.changeBytes.each) return encode({ rev: channel.rev, reload: true })
          return changesAfter(me, channel, after, most).catch(undefinedIfGone)
        }),
      )
      for (const [j, { channel }] of some.entries()) {
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
  })

  /** The channel, or undefined where its door is closed. */
  const open = (me: string, channelId: string) => readableChannel(doors, me, channelId).catch(undefinedIfGone)

  /** Encoded: the same for every reader but for the channel, in which stands how far they have read. */
  async function changesAfter(me: string, channel: OpenChannel, after: number, most: Most): Promise<Buffer> {
    const { encoded, selfRev, isReload } = await read(me, channel, after, most)
    const isSelf = !isReload && selfRev > after
    const presented = isSelf ? encodeChannel(await presentChannel(app, me, channel.id)) : undefined
    // It may have waited for its turn: what was said after somebody was removed is not theirs.
    await readableChannel(doors, me, channel.id)
    if (!presented) return encoded
    return Buffer.concat([encoded.subarray(0, -1), Buffer.from(',"channel":'), presented, Buffer.from('}')])
  }

  async function read(me: string, { id, epoch, rev, peopleVersion }: OpenChannel, after: number, most: Most) {
    // Under the numbers of the door it is as fresh as the door is.
    const key = [id, epoch, rev, peopleVersion, after, most.messages].join(' ')
    return shared(me, key, async () => {
      const changed = await readChanges(id, after, most)
      kept.set(key, changed)
      return changed
    })
  }

  /** Numbers and rows come from one statement, so that nothing falls between them. */
  async function readChanges(channelId: string, after: number, most: Most): Promise<Read> {
    const changed = db.selectFrom('messages').where('channelId', '=', channelId).where('rev', '>', after)
    const first = changed.orderBy('rev').limit(most.messages + 1)
    // Weighed before anything is read: a person in a reaction stands there by their id, and is answered by their names.
    const reactors = sql`least(3 * octet_length(reactions::text), ${sql.lit(REACTORS)})`
    const weight = sql<number>`octet_length(content) + ${reactors} + octet_length(files::text)`
    const weighed = db.selectFrom(first.select(weight.as('bytes')).as('weighed'))
    const bytes = weighed.select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
    const rows = selectMessages(db).where('messages.channelId', '=', channelId).where('messages.rev', '>', after)
    const { rev, selfRev, peopleVersion, messages } = await db
      .selectFrom('channels')
      .innerJoin('workspace', (join) => join.onTrue())
      .where('channels.id', '=', channelId)
      .select(['channels.rev', 'channels.selfRev', 'workspace.peopleVersion'])
      .select((it) =>
        it
          .case()
          .when(it(bytes, '>', most.bytes))
          .then(null)
          .else(jsonArrayFrom(rows.orderBy('messages.rev').limit(most.messages + 1)))
          .end()
          .as('messages'),
      )
      .executeTakeFirstOrThrow()
    const reload = { encoded: encode({ rev, reload: true }), selfRev, isReload: true }
    if (after > rev || messages === null || messages.length > most.messages) return reload
    const encoded = encode({ rev, messages: await presentMessages(people, messages as MessageRow[], peopleVersion) })
    return encoded.length > most.bytes ? reload : { encoded, selfRev, isReload: false }
  }
}

function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof AppError) || error.status !== 404) throw error
}

/** The answer of a sync around what is encoded already. */
function encodedSync(epoch: string, changed: [string, Buffer][], gone: string[]): Encoded {
  const parts = changed.flatMap(([id, encoded], i) => [Buffer.from(`${i > 0 ? ',' : ''}"${id}":`), encoded])
  const head = `{"epoch":${JSON.stringify(epoch)},"gone":${JSON.stringify(gone)},"channels":{`
  return { encoded: Buffer.concat([Buffer.from(head), ...parts, Buffer.from('}}')]) }
}
