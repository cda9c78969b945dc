import { sql } from 'kysely'
import { findOrCreateDirectMessage } from '../channels/direct-messages.ts'
import { addMember, publishMemberJoined } from '../channels/memberships.ts'
import type { Services } from '../services.ts'
import { playConversation } from './week.ts'

/** The channels of the demo in which something is new for the owner, and how much. */
const UNREAD: Record<string, number> = { launch: 3, incidents: 1, lunch: 2 }

const MINUTE_MS = 60_000
/** When the greeting was written. */
const GREETED_MINUTES_AGO = 7

const THREAD =
  'this is a thread: it stays beside the conversation. Those that concern you are listed under **Threads**.'

const NO_FILES = () => {
  throw new Error('The greeting has no files')
}

const greeting = [
  'Welcome to **Gangway**! We are a made-up company that sells tickets for ferries, and this is our last week.',
  'Everything works here: open a thread in #launch, search for `herring`, react to something. When you have seen enough, empty it with the button at the top.',
]

/** Lets an owner in who founded the workspace after it was filled; once. */
export async function greetOwner(services: Services, ownerId: string) {
  const first = services.db.updateTable('workspace').set({ demo: 'greeted' }).where('demo', '=', 'filled')
  if ((await first.executeTakeFirst()).numUpdatedRows > 0n) await letIn(services, ownerId)
}

/** Lets the owner into the channels of the demo, with something unread and a message from Grace. */
export async function letIn(services: Services, ownerId: string) {
  const { db, writer, pollSoon } = services
  const channels = await db
    .selectFrom('channels')
    .select(['id', 'name'])
    .where('isDemo', '=', true)
    .where('deletedAt', 'is', null)
    .execute()
  for (const { id, name } of channels)
    await writer.change(
      id,
      async (tx) => {
        const joined = await addMember(tx, id, ownerId)
        const unread = UNREAD[name.replace(/-demo$/, '')] ?? 0
        if (joined && unread > 0)
          await tx
            .updateTable('memberships')
            .set({ lastReadSeq: sql<number>`greatest("lastReadSeq" - ${unread}, 0)` })
            .where('channelId', '=', id)
            .where('userId', '=', ownerId)
            .execute()
        return joined
      },
      (joined) => publishMemberJoined(services, id, ownerId, joined),
    )
  const grace = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('isDemo', '=', true)
    .where('name', 'like', 'Grace %')
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst()
  if (!grace) return
  const { id, isNew } = await findOrCreateDirectMessage(services, grace.id, [ownerId])
  if (isNew) await greet(services, id, grace.username)
  pollSoon()
}

async function greet(services: Services, channelId: string, username: string) {
  const at = Date.now() - GREETED_MINUTES_AGO * MINUTE_MS
  const line = (content: string, n: number) => ({
    ...{ at: at + n * MINUTE_MS, username, content, reactions: [], files: [], isEdited: false, isDeleted: false },
    replies: [],
  })
  await services.db
    .updateTable('channels')
    .set({ createdAt: new Date(at - MINUTE_MS).toISOString() })
    .where('id', '=', channelId)
    .execute()
  const owner = await services.db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select('users.username')
    .where('channelId', '=', channelId)
    .where('users.isDemo', '=', false)
    .execute()
  const away = owner.map((it) => ({ username: it.username as string, since: 0 }))
  const thread = away.map((it) => line(`@${it.username} ${THREAD}`, greeting.length))
  const messages = greeting.map((content, n) => ({ ...line(content, n), replies: n === 0 ? thread : [] }))
  await playConversation(services, channelId, { name: undefined, direct: [], messages, away }, NO_FILES)
}
