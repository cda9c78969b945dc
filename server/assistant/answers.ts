import { sql } from 'kysely'
import { PENDING_CONTENT } from '#contract/assistant'
import { ASSISTANT } from '#contract/ids'
import { lockChannel } from '../channels/revision.ts'
import { presentMessage } from '../messages/message-rows.ts'
import { publishReply, storeReply } from '../messages/replies.ts'
import { storeMessage } from '../messages/store-messages.ts'
import { lockMessage, mentionColumns, updateMessage } from '../messages/update-message.ts'
import { channelRoom } from '../realtime/rooms.ts'
import { writeSearchText } from '../search/search-text.ts'
import type { Services } from '../services.ts'

/** Where an answer is posted, and the question it answers. */
interface AnswerTarget {
  channelId: string
  /** The thread's parent; null for an answer in the conversation itself. */
  threadId: string | null
  questionId: string
  askedBy: string
}

const answerKeyOf = (questionId: string) => `answer ${questionId}`

/** Whether a question has an answer, finished or not, on any node. */
export async function hasAnswer({ db }: Services, questionId: string): Promise<boolean> {
  const answer = db
    .selectFrom('messages')
    .where('userId', '=', ASSISTANT)
    .where('clientId', '=', answerKeyOf(questionId))
  return (await answer.select('id').executeTakeFirst()) !== undefined
}

/**
 * Stores an answer's message. Several nodes may try: the answer's key derives from the question's id, so a question gets only one
 * answer.
 * @param content the complete answer; without it the answer is pending until `endAnswer`
 * @returns the answer's id; undefined if the question already has an answer, or the channel is archived
 */
export function beginAnswer(services: Services, target: AnswerTarget, content?: string): Promise<string | undefined> {
  const { people, publish, writer } = services
  const { channelId, threadId, questionId, askedBy } = target
  const draft = { channelId, content: content ?? PENDING_CONTENT, clientId: answerKeyOf(questionId) }
  return writer
    .change(
      channelId,
      async (tx) => {
        // Archived channels don't change, not even for an earlier question.
        if ((await lockChannel(tx, channelId)).archivedAt) return undefined
        const stored = threadId
          ? await storeReply(tx, ASSISTANT, { ...draft, parentId: threadId, fileIds: [] }, null)
          : { parent: null, ...(await storeMessage(tx, { ...draft, userId: ASSISTANT, mentions: null })) }
        const { message, parent, isNew } = stored
        if (!isNew) return undefined
        if (content === undefined)
          await tx.insertInto('assistant_answers').values({ messageId: message.id, askedBy }).execute()
        return { message, parent }
      },
      async (done) => {
        if (done?.parent) await publishReply(services, { message: done.message, parent: done.parent })
        else if (done) publish(channelRoom(channelId), 'message:created', await presentMessage(people, done.message))
      },
    )
    .then((done) => done?.message.id)
}

/**
 * Stores the final text of an answer, in one revision. Names in it are not mentions, because the text derives from other people's
 * messages. Does nothing if the answer has ended or was deleted.
 */
export function endAnswer({ people, publish, writer }: Services, channelId: string, id: string, content: string) {
  return writer.change(
    channelId,
    async (tx) => {
      const { message } = await lockMessage(tx, ASSISTANT, channelId, id)
      const pending = tx.deleteFrom('assistant_answers').where('messageId', '=', id).returning('messageId')
      if (!(await pending.executeTakeFirst()) || message.deletedAt) return undefined
      const ended = await updateMessage(tx, message, { content, ...mentionColumns(null) })
      await writeSearchText(tx, ended)
      return ended
    },
    async (ended) => ended && publish(channelRoom(channelId), 'message:updated', await presentMessage(people, ended)),
  )
}

/** The heartbeat of a pending answer. Returns undefined when it should end: somebody stopped or deleted it. */
export async function touchAnswer({ db }: Services, id: string): Promise<true | undefined> {
  const row = await db
    .updateTable('assistant_answers')
    .from('messages')
    .set({ touchedAt: sql`clock_timestamp()` })
    .where('messageId', '=', id)
    .whereRef('messages.id', '=', 'messageId')
    .returning(['stoppedAt', 'messages.deletedAt'])
    .executeTakeFirst()
  return row && row.stoppedAt === null && row.deletedAt === null ? true : undefined
}

/** The person who asked for a pending answer, on any node. */
export const findAnswer = ({ db }: Services, id: string) =>
  db.selectFrom('assistant_answers').select('askedBy').where('messageId', '=', id).executeTakeFirst()

/** Asks the node that writes an answer to end it. */
export const requestStop = ({ db }: Services, id: string) =>
  db.updateTable('assistant_answers').set({ stoppedAt: sql`clock_timestamp()` }).where('messageId', '=', id).execute()

/** Ends answers without a heartbeat for this long, because their node died. */
export async function endAbandoned(
  services: Services,
  seconds: number,
  sentence: string,
  isMine: (id: string) => boolean = () => false,
) {
  const abandoned = await services.db
    .selectFrom('assistant_answers')
    .innerJoin('messages', 'messages.id', 'assistant_answers.messageId')
    .select(['messages.id', 'messages.channelId'])
    .where('touchedAt', '<', sql<string>`clock_timestamp() - make_interval(secs => ${seconds})`)
    .limit(100)
    .execute()
  for (const { id, channelId } of abandoned.filter(({ id }) => !isMine(id)))
    await endAnswer(services, channelId, id, sentence).catch(async (error) => {
      // The channel was deleted, and the answer with it.
      if (error.status !== 404) throw error
      await services.db.deleteFrom('assistant_answers').where('messageId', '=', id).execute()
    })
}
