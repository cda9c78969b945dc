import { randomBytes } from 'node:crypto'
import { makeSignature } from 'better-auth/crypto'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../server/db/database.ts'
import { newId } from '../../server/db/ids.ts'
import { storageKeyOf } from '../../server/files/storage.ts'

/** Messages that are looked through for one that somebody can still read. */
const RECENT = 1000
/** Files that are looked through for one whose bytes are there. */
const RECENT_FILES = 100

/** Somebody who can read the newest message of a restored workspace, signed in. */
export interface Reader {
  cookie: string
  channelId: string
  messageId: string
  /** Undefined if there is none that they can read. */
  file: { id: string; name: string; size: number } | undefined
}

/**
 * Signs in a member of the channel with the newest message. Only for a copy that is deleted afterwards: it also lifts the demand
 * for a second factor.
 * @param missing keys of files whose bytes the backup doesn't have
 * @returns a sentence if nobody can read anything
 */
export async function chooseReader(url: string, secret: string, missing: readonly string[]): Promise<Reader | string> {
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 0 })
  try {
    const found = await findReader(db)
    if (typeof found === 'string') return found
    const file = await findFile(db, found.userId, new Set(missing))
    await db.updateTable('workspace').set({ demandsSecondFactor: false }).execute()
    const token = randomBytes(24).toString('base64url')
    const expiresAt = sql<string>`clock_timestamp() + interval '1 hour'`
    await db.insertInto('sessions').values({ id: newId(), userId: found.userId, token, expiresAt }).execute()
    const signed = `${token}.${await makeSignature(token, secret)}`
    return { ...found, file, cookie: `parley.session_token=${encodeURIComponent(signed)}` }
  } finally {
    await db.destroy()
  }
}

async function findReader(db: Db) {
  const recent = sql`(select id, "channelId" from messages where "threadId" is null and "deletedAt" is null
    order by id desc limit ${RECENT}) recent`
  const { rows } = await sql<{ userId: string | null; channelId: string; messageId: string }>`
    select users.id as "userId", recent."channelId", recent.id as "messageId" from ${recent}
    left join channels on channels.id = recent."channelId" and channels."deletedAt" is null
    left join memberships on memberships."channelId" = channels.id
    left join users on users.id = memberships."userId"
      and users.id <> 'assistant-bot' and users."deactivatedAt" is null and users.role <> 'guest'
    order by users.id is null, recent.id desc limit 1`.execute(db)
  const [found] = rows
  if (!found) return 'Nobody has written a message in it yet.'
  const { userId } = found
  if (userId === null) return 'No member with an active account could read its newest messages, so nothing was read.'
  return { ...found, userId }
}

async function findFile(db: Db, userId: string, missing: ReadonlySet<string>) {
  const files = await db
    .selectFrom('files')
    .innerJoin('memberships', 'memberships.channelId', 'files.channelId')
    .innerJoin('channels', 'channels.id', 'files.channelId')
    .leftJoin('messages', 'messages.id', 'files.messageId')
    .select(['files.id', 'files.name', 'files.size'])
    .where('memberships.userId', '=', userId)
    .where('files.state', '=', 'ready')
    .where('files.isShown', '=', true)
    .where('channels.deletedAt', 'is', null)
    .where('messages.deletedAt', 'is', null)
    .orderBy('files.id', 'desc')
    .limit(RECENT_FILES)
    .execute()
  return files.find(({ id }) => !missing.has(storageKeyOf(id)))
}

/** Reads like a browser does. @returns what was read, in a sentence @throws Error if something is not there */
export async function readAs({ cookie, channelId, messageId, file }: Reader, address: string): Promise<string> {
  const get = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(address + path, { headers })
    if (!response.ok) throw new Error(`${path} answers ${response.status}`)
    return response
  }
  const { token } = (await (await get('/api/auth/token', { cookie })).json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const answer = await get(`/api/messages/channel/${channelId}?around=${messageId}`, headers)
  const page = (await answer.json()) as { id: string }[]
  if (!page.some(({ id }) => id === messageId)) throw new Error('the newest message is not on the page of its channel')
  if (!file) return 'Signed in, and read the newest messages; there was no file to read.'
  const response = await get(`/api/files/${file.id}/${encodeURIComponent(file.name)}`, { cookie })
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  if (bytes !== file.size) throw new Error(`${file.name} has ${bytes} bytes instead of ${file.size}`)
  return 'Signed in, and read the newest messages and a file.'
}
