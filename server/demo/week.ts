import type { PoolClient } from 'pg'
import { avatarSizes } from '#contract/avatars'
import { fold } from '#contract/fold'
import { findOrCreateDirectMessage } from '../channels/direct-messages.ts'
import { addMember } from '../channels/memberships.ts'
import { PRODUCT } from '../db/workspace-name.ts'
import { storeAvatar } from '../files/avatars.ts'
import { makeSquares } from '../files/thumbnail.ts'
import { bounds } from '../limits/bounds.ts'
import type { Services } from '../services.ts'
import { type FileMade, keepBytes, makeFiles } from './files.ts'
import { type Ledger, replay } from './ledger.ts'
import { portraits } from './portraits.ts'
import { type Conversation, readStory, workingWeek } from './story.ts'
import { life } from './words-life.ts'
import { END, week } from './words-week.ts'
import { work } from './words-work.ts'

const STATUSES: Record<string, string> = {
  ...{ ada: '🚀', bob: '🎧', mei: '🎨', tomas: '🍋', eve: '💬', zoe: '🌈', layla: '☀️', kenji: '😴' },
  ...{ priya: '🔍', chidi: '📈', soren: '🟢', grace: '🎂', olena: '🐈', nikos: '⛴️', noa: '📚', jiwoo: '🦀' },
}

/** The conversations of the week that ends now, and its start. @param now milliseconds since 1970 */
export function readDemoWeek(now: number) {
  const time = workingWeek(now, END)
  return { startsAt: time(0, 0), conversations: readStory([week, work, life].join('\n'), time) }
}

/** The company of the week. */
export const DEMO_NAME = 'Gangway'

/** Whether this workspace contains the demo already. */
export async function hasDemo({ pool }: Pick<Services, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query(`select 1 from messages where "clientId" like 'demo-%' limit 1`)
  return rows.length > 0
}

/**
 * Writes a week of the workspace: threads, reactions, files, mentions, and read cursors.
 * @param people ids by username
 * @param channels ids by name
 * @returns the number of messages
 */
export async function playDemo(
  app: Services,
  conversations: Conversation[],
  people: Map<string, string>,
  channels: Map<string, string>,
): Promise<number> {
  await givePictures(app, people)
  const make = await makeFiles()
  let count = 0
  for (const conversation of conversations)
    count += await playConversation(app, await placeOf(app, conversation, people, channels), conversation, make)
  for (const [username, emoji] of Object.entries(STATUSES))
    await app.pool.query('update users set "statusEmoji" = $2 where id = $1', [people.get(username), emoji])
  await app.pool.query('update workspace set "peopleVersion" = "peopleVersion" + 1')
  await nameWorkspace(app)
  return count
}

/** Writes a conversation into its channel, whose members are there already. Returns the number of messages. */
export async function playConversation(
  { pool, storage }: Pick<Services, 'pool' | 'storage'>,
  channelId: string,
  conversation: Conversation,
  make: (name: string) => FileMade,
): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const place = await lockPlace(client, channelId, conversation)
    const ledger = replay(place, conversation, make)
    await store(client, ledger)
    for (const file of ledger.files) await keepBytes(storage, file.id, make(file.name))
    await client.query('commit')
    return ledger.messages.length
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** Names the workspace as the company of the week, unless it has a name already. */
const nameWorkspace = ({ pool }: Pick<Services, 'pool'>) =>
  pool.query('update workspace set name = $1, "nameVersion" = "nameVersion" + 1 where name = $2', [DEMO_NAME, PRODUCT])

/** Draws a picture for most people, and stores it as if they had uploaded it. */
async function givePictures(app: Services, people: Map<string, string>) {
  for (const [username, draw] of Object.entries(portraits)) {
    const id = people.get(username)
    const squares = id && (await makeSquares(await draw(), avatarSizes, bounds.pictureBytes))
    if (squares) await storeAvatar(app, id, squares)
  }
}

/** The channel of a conversation; everybody who writes or reacts there is a member. */
async function placeOf(
  app: Services,
  { name, direct, messages }: Conversation,
  people: Map<string, string>,
  channels: Map<string, string>,
): Promise<string> {
  const idOf = (username: string) => people.get(username) as string
  if (name === undefined) {
    const [me = '', ...others] = direct.map(idOf)
    const { id } = await findOrCreateDirectMessage(app, me, others)
    // The channel must be older than its messages.
    const began = new Date((messages[0]?.at ?? Date.now()) - 60_000)
    await app.pool.query('update channels set "createdAt" = least("createdAt", $2) where id = $1', [id, began])
    return id
  }
  const channelId = channels.get(name) as string
  const present = messages.flatMap((it) => [it, ...it.replies])
  const usernames = present.flatMap((it) => [it.username, ...it.reactions.flatMap((reaction) => reaction.usernames)])
  for (const username of new Set(usernames))
    await app.db.transaction().execute((tx) => addMember(tx, channelId, idOf(username)))
  return channelId
}

async function lockPlace(client: PoolClient, channelId: string, { messages: [first] }: Conversation) {
  const { rows: locked } = await client.query<{ seq: number; rev: number }>(
    'select seq, rev from channels where id = $1 for no key update',
    [channelId],
  )
  const { rows: members } = await client.query<{ id: string; username: string }>(
    'select u.id, u.username from memberships m join users u on u.id = m."userId" where m."channelId" = $1 order by u.id',
    [channelId],
  )
  const { rows: last } = await client.query<{ at: string | null }>(
    'select max("createdAt") as at from messages where "channelId" = $1',
    [channelId],
  )
  const { seq = 0, rev = 0 } = locked[0] ?? {}
  const newest = last[0]?.at ? Date.parse(last[0].at) : (first?.at ?? 0) - 1000
  return { channelId, seq, rev, newest, members: new Map(members.map(({ id, username }) => [username, id])) }
}

/** Writes the ledger's rows in one transaction. */
async function store(client: PoolClient, ledger: Ledger) {
  const { channelId, seq, rev, newest, messages, reactions, follows, cursors } = ledger
  const insert = (table: string, columns: string[], rows: object[]) => {
    const names = columns.map((it) => `"${it}"`).join()
    return client.query(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    )
  }
  const keys = (rows: object[]) => Object.keys(rows[0] ?? {})
  await insert('messages', keys(messages), messages)
  const live = messages.filter(({ deletedAt }) => !deletedAt)
  const texts = live.map(({ id, content }) => ({ messageId: id, channelId, text: fold(content) }))
  await insert('message_search', ['messageId', 'channelId', 'text'], texts)
  const calls = live.flatMap((it) => {
    const of = { messageId: it.id, channelId, threadId: it.threadId, seq: it.seq, authorId: it.userId, audience: null }
    const named = it.mentions.filter(({ userId }) => userId !== it.userId)
    return [...named.map(({ userId }) => ({ ...of, userId })), ...(it.broadcast ? [{ ...of, userId: null }] : [])]
  })
  if (calls.length > 0) await insert('mentions', keys(calls), calls)
  if (reactions.length > 0) await insert('reactions', keys(reactions), reactions)
  if (follows.length > 0) await insert('thread_follows', keys(follows), follows)
  if (ledger.files.length > 0) {
    const rows = ledger.files.map((file) => ({ ...file, state: 'ready', isShown: true, touchedAt: file.createdAt }))
    await insert('files', keys(rows), rows)
  }
  await client.query(
    `update memberships m set "lastReadSeq" = greatest(m."lastReadSeq", read.seq)
     from unnest($2::text[], $3::bigint[]) as read("userId", seq)
     where m."channelId" = $1 and m."userId" = read."userId"`,
    [channelId, [...cursors.keys()], [...cursors.values()]],
  )
  await client.query(
    `update channels set seq = $2, rev = $3, "lastMessageAt" = $4, "changedAt" = clock_timestamp() where id = $1`,
    [channelId, seq, rev, new Date(newest)],
  )
}
