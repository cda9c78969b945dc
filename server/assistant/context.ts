import { type MessageRow, selectMessages } from '../messages/message-rows.ts'
import type { Services } from '../services.ts'
import type { Sources } from './sources.ts'

/** Messages that the model sees of the place it was asked in; characters of each, and of all together. */
const SEEN = 50
const OF_ONE = 2_000
const OF_ALL = 12_000

/** A message as the model is shown it. */
export interface PromptMessage {
  tag: string
  author: string
  time: string
  text: string
  files?: string[]
}

interface Place {
  channelId: string
  /** The parent, where the question was asked in a thread. */
  askedIn: string | null
  /** The question's number there: it is the last message that counts. */
  seq: number
}

/** What was said up to a question in its place: in its thread, or in the channel. Oldest first, of old ones less. */
export async function readContext(services: Services, place: Place, sources: Sources): Promise<PromptMessage[]> {
  const { channelId, askedIn, seq } = place
  const said = selectMessages(services.db)
    .where('messages.threadId', askedIn === null ? 'is' : '=', askedIn)
    .where('messages.channelId', '=', channelId)
    .where('messages.seq', '<=', seq)
    .where('messages.deletedAt', 'is', null)
    .orderBy('messages.seq', 'desc')
    .limit(SEEN)
  const parent = selectMessages(services.db).where('messages.id', '=', askedIn).where('messages.deletedAt', 'is', null)
  const rows: MessageRow[] = [...(await said.execute()), ...(askedIn === null ? [] : await parent.execute())]
  const userOf = await services.people.namesOf(rows.map(({ userId }) => userId))
  const shown: PromptMessage[] = []
  let characters = 0
  for (const { id, userId, content, createdAt, files } of rows) {
    const text = content.slice(0, OF_ONE).toWellFormed()
    characters += text.length
    if (characters > OF_ALL && shown.length > 0) break
    const author = userOf(userId).username
    const names = files.map(({ name }) => name)
    const tag = sources.tagOf({ id, channelId, author, text })
    shown.push({ tag, author, time: createdAt, text, ...(names.length > 0 && { files: names }) })
  }
  return shown.reverse()
}
