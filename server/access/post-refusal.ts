import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../db/schema.ts'
import type { PostRefusal } from '../errors.ts'

/** 'post' and 'reply' include edits of these; 'change' is a reaction. */
export type WritingAct = 'post' | 'reply' | 'change'

/** Why a member may not write in a channel, for example because it is archived or they are muted. Null if they may. */
export async function postRefusal(db: Kysely<DB> | Transaction<DB>, me: string, channelId: string, act: WritingAct) {
  const { rows } = await sql<{ why: PostRefusal | null }>`
    select post_refusal_2(channels, ${me}, ${act}) as why from channels where id = ${channelId}::uuid
  `.execute(db)
  return rows[0]?.why ?? null
}
