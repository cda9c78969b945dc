import type { Transaction } from 'kysely'
import { can } from '#contract/can'
import { type Doors, readableChannel } from '../access/access.ts'
import { postRefusal, type WritingAct } from '../access/post-refusal.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { mayNotPost, refusedHere } from '../errors.ts'
import type { Mentions } from './mentions.ts'

/** Rejects people who may not write in a locked channel. */
export async function requireVoice(tx: Transaction<DB>, me: string, channelId: string, act: WritingAct) {
  const why = await postRefusal(tx, me, channelId, act)
  if (why) throw mayNotPost(why)
}

/**
 * Rejects `@channel` and `@here` from people who may not use them in a channel.
 * @param clientId the key of a new message: a repeat of one stored while they were allowed is accepted
 */
export async function requireBroadcast(
  { db, doors }: { db: Db; doors: Doors },
  me: string,
  channelId: string,
  mentions: Mentions | null,
  clientId: string | null,
) {
  if (!mentions?.broadcast) return
  const channel = await readableChannel(doors, me, channelId)
  if (can.mentionChannel(channel.viewer, channel)) return
  const stored = db.selectFrom('messages').select('id').where('userId', '=', me).where('clientId', '=', clientId)
  if (clientId === null || !(await stored.executeTakeFirst())) throw refusedHere('errors.mayNotMentionChannel')
}
