import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { listMessages, sendMessage } from '#contract/messages'
import { memberChannel, readableChannel } from '../access.ts'
import type { DB } from '../db/schema.ts'
import { conflict, notAMember } from '../errors.ts'
import { channelRoom, publish } from '../realtime.ts'
import { route } from '../route.ts'

export default async function messages(app: FastifyInstance) {
  const { db, io } = app

  route(app, listMessages, async ({ params, query: { limit, before, after } }, me) => {
    const { id } = await readableChannel(db, me, params.channelId)
    // Page and revision in one snapshot: a page must not stand under a revision that it does not show.
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        const { rev } = await tx.selectFrom('channels').select('rev').where('id', '=', id).executeTakeFirstOrThrow()
        const forwards = after !== undefined && before === undefined
        const rows = await selectMessages(tx)
          .where('channelId', '=', id)
          .$if(before !== undefined, (it) => it.where('seq', '<', before as number))
          .$if(after !== undefined, (it) => it.where('seq', '>', after as number))
          .orderBy('seq', forwards ? 'asc' : 'desc')
          .limit(limit)
          .execute()
        return { body: forwards ? rows : rows.reverse(), headers: { 'parley-rev': rev } }
      })
  })

  route(app, sendMessage, async ({ body }, me, reply) => {
    const { id: channelId } = await memberChannel(db, me, body.channelId)
    const { message, isNew } = await store({ ...body, channelId, userId: me }).catch((error) => {
      // The same key went into another channel in this very moment.
      if (error.constraint === 'messages_userId_clientId_key') throw clientIdReused()
      throw error
    })
    if (isNew) publish(io, channelRoom(channelId), 'message:created', message)
    else reply.status(200)
    return message
  })

  /** Stores a message under the channel's next `seq` and `rev`; a repeat of its key gives the one that stands. */
  function store({
    channelId,
    userId,
    content,
    clientId = null,
  }: {
    channelId: string
    userId: string
    content: string
    clientId?: string | undefined | null
  }) {
    return db.transaction().execute(async (tx) => {
      // The lock first, all reads after it: membership and repeats are judged as they are when the number is given.
      await tx.selectFrom('channels').select('id').where('id', '=', channelId).forNoKeyUpdate().execute()
      const membership = tx.selectFrom('memberships').where('channelId', '=', channelId).where('userId', '=', userId)
      if (!(await membership.select('userId').executeTakeFirst())) throw notAMember()

      const stored =
        clientId === null
          ? undefined
          : await selectMessages(tx)
              .where('messages.userId', '=', userId)
              .where('clientId', '=', clientId)
              .executeTakeFirst()
      if (stored && stored.channelId !== channelId) throw clientIdReused()
      if (stored) return { message: stored, isNew: false }

      const { seq, rev } = await tx
        .updateTable('channels')
        .set({ seq: sql`seq + 1`, rev: sql`rev + 1`, changedAt: sql`now()` })
        .where('id', '=', channelId)
        .returning(['seq', 'rev'])
        .executeTakeFirstOrThrow()
      const id = uuid()
      await tx.insertInto('messages').values({ id, channelId, userId, content, clientId, seq, rev }).execute()
      await tx
        .updateTable('memberships')
        .set({ lastReadSeq: seq })
        .where('channelId', '=', channelId)
        .where('userId', '=', userId)
        .execute()
      return { message: await selectMessages(tx).where('messages.id', '=', id).executeTakeFirstOrThrow(), isNew: true }
    })
  }
}

const clientIdReused = () => conflict('client_id_reused', 'This clientId belongs to a message elsewhere')

/** Messages with their authors, in the shape of the contract. */
const selectMessages = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('messages')
    .innerJoin('users', 'users.id', 'messages.userId')
    .select([
      'messages.id',
      'channelId',
      'messages.userId',
      sql<{
        id: string
        username: string
        name: string
      }>`jsonb_build_object('id', users.id, 'username', username, 'name', name)`.as('user'),
      'content',
      'clientId',
      'seq',
      'rev',
      'messages.createdAt',
      'messages.updatedAt',
    ])
