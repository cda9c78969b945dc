import { type MessageRow, selectMessages } from '../messages/message-rows.ts'
import type { Services } from '../services.ts'
import type { Sources } from './sources.ts'

const MAX_MESSAGES = 50
const MAX_MESSAGE_CHARACTERS = 2_000
const MAX_TOTAL_CHARACTERS = 12_000

/** A message as it appears in the prompt. */
export interface PromptMessage {
  tag: string
  author: string
  time: string
  text: string
  files?: string[]
}

interface Position {
  questionId: string
  channelId: string
  /** The parent if the question was asked in a thread. */
  askedIn: string | null
  /** The question's number there; later messages are omitted. */
  seq: number
}

/**
 * The messages of a thread or channel up to the question, oldest first. Omits old ones if there are too many. Undefined if the
 * question was deleted, perhaps because it should not leave the server.
 */
export async function readContext(
  services: Services,
  position: Position,
  sources: Sources,
): Promise<PromptMessage[] | undefined> {
  const { questionId, channelId, askedIn, seq } = position
  const preceding = selectMessages(services.db)
    .where('messages.threadId', askedIn === null ? 'is' : '=', askedIn)
    .where('messages.channelId', '=', channelId)
    .where('messages.seq', '<=', seq)
    .where('messages.deletedAt', 'is', null)
    .orderBy('messages.seq', 'desc')
    .limit(MAX_MESSAGES)
  const parent = selectMessages(services.db).where('messages.id', '=', askedIn).where('messages.deletedAt', 'is', null)
  const rows: MessageRow[] = [...(await preceding.execute()), ...(askedIn === null ? [] : await parent.execute())]
  if (!rows.some(({ id }) => id === questionId)) return undefined
  const userOf = await services.people.namesOf(rows.map(({ userId }) => userId))
  const shown: PromptMessage[] = []
  let characters = 0
  for (const { id, userId, content, createdAt, files } of rows) {
    const text = content.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed()
    characters += text.length
    if (characters > MAX_TOTAL_CHARACTERS && shown.length > 0) break
    const author = userOf(userId).username
    const names = files.map(({ name }) => name)
    const tag = sources.tagOf({ id, channelId, author, text })
    shown.push({ tag, author, time: createdAt, text, ...(names.length > 0 && { files: names }) })
  }
  return shown.reverse()
}
