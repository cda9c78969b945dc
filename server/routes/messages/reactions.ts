import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { addReaction, listReactions, removeReaction } from '#contract/reactions'
import { memberMessage, type OpenMessage, readableMessage } from '../../access/access.ts'
import type { DB } from '../../db/schema.ts'
import { conflict } from '../../errors.ts'
import { requireVoice } from '../../messages/may-post.ts'
import { MAX_REACTORS_PER_MESSAGE, type MessageRow, presentMessage } from '../../messages/message-rows.ts'
import { lockMessage, updateMessage } from '../../messages/update-message.ts'
import { resolveEmoji } from '../../people/custom-emoji.ts'
import { channelRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

export default async function reactions(app: FastifyInstance) {
  const { db, people, publish, writer } = app

  route(app, listReactions, ({ params, me }) => readReactions(me, params.messageId))

  route(app, addReaction, async ({ params, body, me }) => {
    const message = await memberMessage(app, me, params.messageId)
    const emoji = await resolveEmoji(db, body.emoji, 'emoji')
    const add = async (tx: Transaction<DB>, { id, deletedAt, reactions }: MessageRow) => {
      if (deletedAt) throw conflict('deleted', 'errors.messageDeleted')
      if (reactions.length >= limits.reactions && !reactions.some((reaction) => reaction.emoji === emoji))
        throw conflict('too_many_reactions', problem('errors.tooManyReactions', { max: limits.reactions }))
      const row = { messageId: id, emoji, userId: me }
      return tx
        .insertInto('reactions')
        .values(row)
        .onConflict((oc) => oc.doNothing())
        .executeTakeFirst()
    }
    await change(me, message, add, async (row) => {
      const userOf = await people.namesOf([me])
      const event = { ...(await presentEmoji(row, emoji)), reaction: { emoji, user: userOf(me) } }
      publish(channelRoom(row.channelId), 'reaction:added', event)
    })
    return readReactions(me, message.id)
  })

  route(app, removeReaction, async ({ params, me }) => {
    const message = await memberMessage(app, me, params.messageId)
    const emoji = await givenEmoji(me, message.id, params.emoji)
    const remove = (tx: Transaction<DB>, { id }: MessageRow) =>
      tx
        .deleteFrom('reactions')
        .where('messageId', '=', id)
        .where('emoji', '=', emoji)
        .where('userId', '=', me)
        .executeTakeFirst()
    await change(me, message, remove, async (row) => {
      const event = { ...(await presentEmoji(row, emoji)), emoji, userId: me }
      publish(channelRoom(row.channelId), 'reaction:removed', event)
    })
    return readReactions(me, message.id)
  })

  type ChangeResult = { numInsertedOrUpdatedRows?: bigint | undefined; numDeletedRows?: bigint }

  /** Changes a message's reactions. If `act` changes nothing, the revision stays and nothing is published. */
  const change = (
    me: string,
    { id, channel }: OpenMessage,
    act: (tx: Transaction<DB>, message: MessageRow) => Promise<ChangeResult>,
    publishChange: (row: MessageRow) => Promise<void>,
  ) =>
    writer.change(
      channel.id,
      async (tx) => {
        const { message } = await lockMessage(tx, me, channel.id, id)
        await requireVoice(tx, me, channel.id, 'change')
        const { numInsertedOrUpdatedRows = 0n, numDeletedRows = 0n } = await act(tx, message)
        if (numInsertedOrUpdatedRows + numDeletedRows === 0n) return undefined
        return updateMessage(tx, message, { reactions: reactionsColumn(id) })
      },
      (row) => row && publishChange(row),
    )

  /** Which of my reactions an emoji means: as it stands there, which may be of a removed one, or by its first name. */
  async function givenEmoji(me: string, messageId: string, emoji: string) {
    const resolved = await resolveEmoji(db, emoji, 'emoji').catch(() => emoji)
    if (resolved === emoji) return emoji
    const isGiven = db
      .selectFrom('reactions')
      .select('emoji')
      .where('messageId', '=', messageId)
      .where('userId', '=', me)
    return (await isGiven.where('emoji', '=', emoji).executeTakeFirst()) ? emoji : resolved
  }

  async function presentEmoji(row: MessageRow, emoji: string) {
    const { id: messageId, channelId, rev, updatedAt, reactions, reactionCounts } = await presentMessage(people, row)
    return { messageId, channelId, rev, updatedAt, users: reactions[emoji] ?? [], count: reactionCounts[emoji] ?? 0 }
  }

  async function readReactions(me: string, messageId: string) {
    const rows = await db
      .selectFrom('reactions')
      .where('messageId', '=', messageId)
      .groupBy('emoji')
      .select(['emoji', firstReactors(sql`"userId" <> ${me}, "createdAt", "userId"`).as('userIds')])
      .orderBy(sql`min("createdAt")`)
      .orderBy('emoji')
      .execute()
    const userOf = await people.namesOf(rows.flatMap(({ userIds }) => userIds))
    // Checked after the read: a removed user must not see reactions added after the removal.
    await readableMessage(app, me, messageId)
    return Object.fromEntries(rows.map(({ emoji, userIds }) => [emoji, userIds.map(userOf)]))
  }
}

const firstReactors = (order: ReturnType<typeof sql>) =>
  sql<string[]>`(array_agg("userId" order by ${order}))[1:${sql.lit(limits.reactors)}]`

/**
 * The reactions column of a message, which every page of the channel reads. It lists as many users per emoji as fit into
 * `MAX_REACTORS_PER_MESSAGE`, the same number for each emoji.
 */
const reactionsColumn = (messageId: string) => sql`(
  with given as (
    select emoji, count(*) as n, min("createdAt") as since, ${firstReactors(sql`"createdAt", "userId"`)} as "userIds"
    from reactions where "messageId" = ${messageId} group by emoji
  )
  select coalesce(
    jsonb_agg(jsonb_build_object('emoji', emoji, 'count', n, 'userIds', "userIds"[1:each]) order by since, emoji), '[]')
  from given, (
    select max(each) as each from generate_series(1, ${sql.lit(limits.reactors)}) each
    where (select sum(least(n, each)) from given) <= ${sql.lit(MAX_REACTORS_PER_MESSAGE)}
  ) room
)`
